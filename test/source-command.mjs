// In place of what loads the bundle of the command, packages/cli/src/load.ts: its sources.

export const load = () => ({ main: async () => (await import('../packages/cli/src/main.ts')).main() })
export const keepCompiled = () => {}
