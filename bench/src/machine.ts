import { sendBare } from '#bare-sender'
import { medianBy } from '#bench'
import { startReceiver } from '#receiver'

/** The speed of the bare loop, in deliveries a second, on the machine for which limits in milliseconds are given. */
const usualPerSecond = 45_000
const runs = 3

/**
 * The factor by which this machine is slower at the moment than the machine for which limits are given, by the speed of
 * the bare loop of `deliver` in the same run. About 4 s.
 */
export async function slowness(say: (message: string) => void): Promise<number> {
  await using receiver = await startReceiver()
  const measured: number[] = []
  for (let run = 0; run < runs; run += 1) measured.push(await sendBare({ urls: [receiver.url] }))
  const perSecond = medianBy(measured, Number)
  say(`the bare loop makes ${Math.round(perSecond).toLocaleString('en')} deliveries/s`)
  return usualPerSecond / perSecond
}
