import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { png } from '../packages/cli/test/images.js'
import { freePort } from './free-port.js'
import { noteMissing } from './needs.js'
import { isRoot } from './ordinary-user.js'

const execute = promisify(execFile)
const repository = join(import.meta.dirname, '..')
const minute = 60_000

/** The PATH of systemd, and of Debian's sudo. */
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * A root directory that shows this machine's files and keeps all changes to itself. $1: a folder; $2: this repository.
 */
const layered = `
  mkdir "$1/layers"
  mount -t tmpfs tmpfs "$1/layers"
  cd "$1/layers"
  mkdir upper work root
  mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
  mount -t proc proc root/proc
  mount --bind /dev root/dev
  mount -t tmpfs tmpfs root/tmp
  mkdir root/tmp/packed
  mount --bind "$1/packed" root/tmp/packed
  rm -f root/usr/local/bin/node
  touch root/usr/bin/node
  mount --bind "$2/node_modules/node/bin/node" root/usr/bin/node
  echo made
  exec sleep infinity`

/**
 * Applies the settings of a unit that an installation could violate, as systemd does: user, directory, environment, and
 * a file system that is read-only except for the state and ReadWritePaths, including those of drop-ins. $1: the unit.
 */
const asSystemd = `
  value() { cat /etc/systemd/system/$unit.service $(ls /etc/systemd/system/$unit.service.d/*.conf 2>&-) | sed -n "s/^$1=//p"; }
  unit=$1
  writable="/var/lib/$(value StateDirectory) $(value ReadWritePaths)"
  for place in $writable; do mount --bind "$place" "$place"; done
  mount -o remount,ro,bind /
  for hidden in /tmp /root /home; do mount -t tmpfs tmpfs $hidden; done
  cd "$(value WorkingDirectory)"
  exec setpriv --reuid "$(value User)" --regid "$(value Group)" --init-groups --no-new-privs --inh-caps=-all --bounding-set=-all \\
    env -i PATH=${path} HOME=/var/lib/sav $(value ExecStart)`

class OwnRoot {
  readonly #keeper: ChildProcess
  readonly #path: string

  private constructor(keeper: ChildProcess, path: string) {
    this.#keeper = keeper
    this.#path = path
  }

  /** Creates such a root; null if this machine does not allow it. @param folder for its layers; `packed` is in it */
  static async make(folder: string): Promise<OwnRoot | null> {
    const args = ['--mount', '--propagation', 'private', 'sh', '-ec', layered, 'sh', folder, repository]
    const keeper = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const _ of createInterface({ input: keeper.stdout }))
      return new OwnRoot(keeper, join(folder, 'layers/root'))
    return null
  }

  /** Runs a shell script inside this root, in the folder of this repository. */
  async run(script: string, ...args: readonly string[]): Promise<string> {
    return (await execute('nsenter', this.#entered([], script, args), { env: { PATH: path } })).stdout
  }

  /** Starts the command of a unit. */
  start(unit: string): ChildProcess {
    const args = this.#entered(['unshare', '--mount'], asSystemd, [unit])
    return spawn('nsenter', args, { env: { PATH: path } })
  }

  #entered(by: readonly string[], script: string, args: readonly string[]): string[] {
    const mounts = `--mount=/proc/${this.#keeper.pid}/ns/mnt`
    return [mounts, ...by, 'chroot', this.#path, 'sh', '-ec', `cd "$0"; ${script}`, repository, ...args]
  }

  async end(): Promise<void> {
    this.#keeper.kill()
    await once(this.#keeper, 'exit')
  }
}

/** The shell code of the page's section, with packages of this checkout and a free port. */
async function documentedSteps(port: number): Promise<readonly [install: string, files: string]> {
  const operating = await readFile(join(repository, 'docs/operating.md'), 'utf8')
  const [, section = ''] = /^### By systemd$(.*?)^##/ms.exec(operating) ?? []
  const [install = '', files = '', ...others] = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) =>
    block.replace('@sav/cli', '--no-audit --no-fund --prefer-offline /tmp/packed/*.tgz').replace('8080', String(port)),
  )
  expect(others).toEqual([])
  expect(install).toMatch(new RegExp(`/packed/[^]*SAV_PORT=${port}\\b`))
  return [install, files]
}

const caseWithPhoto =
  "sav cases create --client-id 1 --description 'La porte du four ne ferme plus' --photo /tmp/packed/porte.png"
const created = /SAV-\d{4}-0000\d/

/** The test has no systemd, so this `systemctl` checks units instead of loading them. */
const systemctl = `systemctl() {
  echo "systemctl $*"
  [ "$1" != daemon-reload ] || systemd-analyze verify --man=no --recursive-errors=no /etc/systemd/system/sav*.service
}`

test.runIf(process.env['SAV_TEST_FULL'] === '1')(
  'the steps of docs/operating.md install a service that the units start and that commands can use',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sav-systemd-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await execute('node', ['scripts/pack-command.mjs', join(folder, 'packed')], { cwd: repository })
    await writeFile(join(folder, 'packed/porte.png'), png)
    const machine = isRoot ? await OwnRoot.make(folder) : null
    if (machine === null) {
      noteMissing('a root directory of its own (root, unshare, overlay)', 'that the documented steps install a service')
      return
    }
    try {
      const port = await freePort()
      const [install, files] = await documentedSteps(port)
      expect(await machine.run(`${systemctl}\n${install}`)).toMatch(/^systemctl enable --now sav sav-backup\.timer$/m)
      expect(await machine.run('stat --format "%U:%G %a %n" /etc/sav/sav.env /var/lib/sav/sav-data/secret.key')).toBe(
        'root:sav 640 /etc/sav/sav.env\nsav:sav 600 /var/lib/sav/sav-data/secret.key\n',
      )
      const byHand = (command: string) => machine.run(`cd /var/lib/sav && runuser -u sav -- ${command}`)
      const doctor = await byHand('sav doctor')
      expect(doctor).toMatch(/\/etc\/sav\/sav\.env/)
      expect(doctor).toMatch(/\/var\/lib\/sav\/sav-data\/sav\.db/)
      await byHand('sav clients add --nom Durand --prenom Hélène')
      const { key } = JSON.parse(await byHand('sav keys create --name k --permissions sav:read,sav:write --json'))

      /** Starts the unit's command, sends a case with a photo to it, and ends it. Resolves to what the command printed. */
      const withPhoto = async () => {
        const service = new Unit(machine.start('sav'))
        await service.logs(/listening on/)
        const sent = byHand(`env SAV_URL=http://127.0.0.1:${port} SAV_API_KEY=${key} ${caseWithPhoto}`)
        const answer = await sent.catch(({ stderr }) => stderr)
        expect(await service.end()).toBe(0)
        return answer
      }
      expect(await withPhoto()).toMatch(created)
      const worker = new Unit(machine.start('sav-worker'))
      await worker.logs(/delivering/)
      expect(await worker.end()).toBe(0)
      const backup = new Unit(machine.start('sav-backup'))
      expect([await backup.ended, backup.log]).toEqual([0, expect.stringContaining('/backup/sav/sav-')])
      expect(await machine.run('ls /backup/sav')).toMatch(/^sav-.*\.db\n$/)

      await machine.run(`${systemctl}\n${files}`)
      expect(await withPhoto()).toMatch(created)
      expect(await machine.run('find /srv/sav/files -type f | wc -l')).toBe('1\n')
      // Without the drop-in, the unit may not write there.
      await machine.run('rm -r /etc/systemd/system/sav.service.d')
      expect(await withPhoto()).toMatch(/503/)
    } finally {
      await machine.end()
    }
  },
  10 * minute,
)

/** A process that a unit started, and what it logs. */
class Unit {
  log = ''
  readonly ended: Promise<number>
  readonly #process: ChildProcess

  constructor(process: ChildProcess) {
    this.#process = process
    for (const stream of [process.stdout, process.stderr]) stream?.on('data', (chunk) => (this.log += chunk))
    this.ended = once(process, 'close').then(([code]) => code)
  }

  async logs(line: RegExp): Promise<void> {
    const failed = this.ended.then((code) => Promise.reject(new Error(`It ended with ${code}: ${this.log}`)))
    failed.catch(() => {})
    await Promise.race([failed, expect.poll(() => this.log).toMatch(line)])
  }

  end(): Promise<number> {
    this.#process.kill('SIGTERM')
    return this.ended
  }
}
