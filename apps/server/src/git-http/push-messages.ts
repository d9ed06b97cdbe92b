import { progressMessage } from '@stithy/git'
import type { App } from '../app.ts'

/** Tells of the project that a push made (catalogue: repository, 13, Push-to-create). */
export function projectCreatedMessage(app: App, project: { fullPath: string }): string {
  const address = `${app.config.externalUrl}/${project.fullPath}.git`
  return [
    '',
    `The private project ${project.fullPath} was created.`,
    '',
    'To make it the remote of this repository, run:',
    `  git remote add origin ${address}`,
    '',
  ].join('\n')
}

/** What the pusher sees as `remote:` lines, for an answer in side bands. */
export function sayToClient(messages: readonly string[]): Buffer {
  return Buffer.concat(messages.map(progressMessage))
}
