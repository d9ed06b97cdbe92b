/** Milliseconds of processor time that this thread spends on the work: other load doesn't count. */
export function processorMilliseconds(work: () => unknown): number {
  const started = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000
}
