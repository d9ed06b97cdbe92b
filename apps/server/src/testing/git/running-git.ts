import { readFileSync } from 'node:fs'
import type { TestServer } from '../test-server.ts'

/** The command lines of the git processes of a server that run. */
export function runningGit({ app }: TestServer): string[] {
  const pid = app.git.brokerPid
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const commands = children.map((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  })
  return commands.filter((line) => line.includes(app.config.data))
}
