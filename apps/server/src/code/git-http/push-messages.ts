import type { App } from '../../platform/app.ts'

/** The message about a project that a push created. */
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
