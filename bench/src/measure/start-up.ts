import { launchStithy } from '../servers.ts'
import { median } from './pairs.ts'

/** Maximum milliseconds from the start of the process to its first response. */
export const startUpGoal = 400

/** Five starts, and their median, of the built server on a data folder. */
export async function measureStartUp(folder: string): Promise<{ times: number[]; median: number }> {
  const times: number[] = []
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now()
    const { ready } = await launchStithy(folder, { core: 'any' })
    const server = await ready
    times.push(performance.now() - started)
    await server.stop()
  }
  return { times, median: median(times) }
}
