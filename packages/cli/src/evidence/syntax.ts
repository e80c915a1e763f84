import type { Command } from 'commander'
import type { Act } from '../invocation/action.js'
import { examples } from '../syntax/help-text.js'
import { integer } from '../syntax/values.js'

export function addEvidenceCommands(program: Command, act: Act): void {
  const evidence = program.command('evidence').description('hashes and the chain of closed cases')
  evidence
    .command('verify [id]')
    .description('recompute the whole chain, or report on one case of it; exit 1 when broken')
    .action(act(async () => (await import('./evidence-verify.js')).verifyEvidence))
  evidence
    .command('export <id>')
    .description('the evidence of a close, for anyone to check')
    .option('--sequence <n>', 'of an earlier close: its entry of the chain', integer)
    .option('--dir <directory>', 'write snapshot, entry, files and SHA256SUMS there instead of printing the bundle')
    .addHelpText(
      'after',
      examples([
        'sav evidence export SAV-2026-00001 > preuve.json',
        'sav evidence export SAV-2026-00001 --dir preuve && (cd preuve && sha256sum -c SHA256SUMS)',
      ]),
    )
    .action(act(async () => (await import('./evidence-export.js')).exportEvidence))
}
