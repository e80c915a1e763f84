export function filesOf(root: string): string[]
