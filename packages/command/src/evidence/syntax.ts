import { filesChecked } from '@sav/core/names'
import type { Act } from '../invocation/action.js'
import type { CommandGroup } from '../invocation/command-group.js'
import { type FieldCommand, FieldOption } from '../syntax/field-command.js'
import { listing, reaching, widened } from '../syntax/options.js'
import { integer } from '../syntax/values.js'

export const evidenceCommands: CommandGroup = { heading: 'Cases:', place: 2, add: addEvidenceCommands }

function addEvidenceCommands(program: FieldCommand, act: Act): void {
  const evidence = program.command('evidence').description('the evidence of closed cases: their hashes and the chain')
  widened(evidence.declare('verify [id]', 'check the whole chain, or one case in it; exit 1 if the chain is broken'))
    .addOption(new FieldOption('--files <which>', 'which files to read and hash').choices(filesChecked).default('all'))
    .option('--anchor <file>', 'compare the chains of all accounts with the anchors in this file')
    .action(act(async () => (await import('./evidence-verify.js')).verifyEvidence))
  listing(evidence.declare('anchor', "print the last entry of each account's chain, to be kept outside the store"))
    .option('--to <file>', 'also add a line of JSON for each account to this file')
    .examples(
      'sav evidence anchor --to /mnt/outside/anchors.jsonl',
      'sav evidence verify --anchor /mnt/outside/anchors.jsonl',
    )
    .action(act(async () => (await import('./evidence-anchor.js')).anchorEvidence))
  reaching(evidence, 'export <id>', 'print the evidence of a close, for anyone to check')
    .option('--sequence <n>', 'the entry number of an earlier close (default: the latest close)', integer)
    .option('--dir <directory>', 'write snapshot, entry, files and SHA256SUMS to a directory instead of printing JSON')
    .examples(
      'sav evidence export SAV-2026-00001 > preuve.json',
      'sav evidence export SAV-2026-00001 --dir preuve && (cd preuve && sha256sum -c SHA256SUMS)',
    )
    .action(act(async () => (await import('./evidence-export.js')).exportEvidence))
}
