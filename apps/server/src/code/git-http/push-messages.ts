import type { RefUpdate } from '@stithy/core'
import { sshUrlOf } from '../../directory/projects/project.presenter.ts'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'

/** A recorded push with its caller. */
export interface AnsweredPush {
  project: ProjectSubject
  caller: Caller
  updates: readonly RefUpdate[]
  options: readonly string[]
}

declare module '../../platform/app.ts' {
  interface App {
    /**
     * Does what the options of a push ask for, and returns messages about the merge requests of its
     * branches.
     */
    answerPush: (app: App, push: AnsweredPush) => Promise<string[]>
  }
}

/** The messages on a push, which has succeeded whatever happens here. */
export async function pushMessages(app: App, push: AnsweredPush): Promise<string[]> {
  try {
    return await app.answerPush(app, push)
  } catch (error) {
    app.log.error({ err: error, projectId: push.project.row.id }, 'a push could not be answered')
    return []
  }
}

/** The message about a project that a push created, with its address over HTTP or SSH. */
export function projectCreatedMessage(
  app: App,
  { fullPath }: { fullPath: string },
  overSsh: boolean,
): string {
  return remoteMessage(
    `The private project ${fullPath} was created.`,
    'To make it the remote of this repository, run:',
    `git remote add origin ${addressOf(app, fullPath, overSsh)}`,
  )
}

/** The message about a push to a path that the project had before. */
export function projectMovedMessage(
  app: App,
  { from, fullPath, isWiki }: { from: string; fullPath: string; isWiki: boolean },
  overSsh: boolean,
): string {
  const repository = isWiki ? `${fullPath}.wiki` : fullPath
  return remoteMessage(
    `The project ${from} was moved to ${fullPath}.`,
    'To change the remote of this repository, run:',
    `git remote set-url origin ${addressOf(app, repository, overSsh)}`,
  )
}

function addressOf({ config }: App, path: string, overSsh: boolean): string {
  return overSsh ? sshUrlOf(config, path) : `${config.externalUrl}/${path}.git`
}

function remoteMessage(fact: string, advice: string, command: string): string {
  return ['', fact, '', advice, `  ${command}`, ''].join('\n')
}
