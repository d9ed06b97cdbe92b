import { expect } from 'vitest'
import type { InjectedAnswer, Json } from '../test-server.ts'
import type { IssueWorld } from '../worlds/issues.ts'
import { created } from './calls.ts'

export type Who = 'guest' | 'reporter' | 'developer' | 'stranger'

/** Quick actions in comments on the issues of a world. */
export interface Commanding {
  /** Comments on an issue, as the reporter unless told. */
  say: (issue: Json, body: string, who?: Who) => Promise<InjectedAnswer>
  /** The issue, as the reporter sees it unless told. */
  read: (issue: Json, who?: Who) => Promise<Json>
  /** Says commands with a word beside them, and answers what became of the issue. */
  run: (issue: Json, command: string, who?: Who) => Promise<Json>
  label: (name: string) => Promise<Json>
  milestone: (title: string) => Promise<Json>
}

export function commanding(world: IssueWorld): Commanding {
  const say: Commanding['say'] = (issue, body, who = 'reporter') =>
    world.call('POST', `/${issue.iid}/notes`, { body }, world[who])
  const read: Commanding['read'] = async (issue, who = 'reporter') =>
    (await world.call('GET', `/${issue.iid}`, undefined, world[who])).body
  const make = (kind: string, body: object) =>
    created(world.server, `/projects/${world.project.id}/${kind}`, body)
  return {
    say,
    read,
    async run(issue, command, who) {
      const answer = await say(issue, `Words\n${command}`, who)
      expect(answer.status).toBe(201)
      expect(answer.body.body).toBe('Words')
      return read(issue)
    },
    label: (name) => make('labels', { name, color: '#ff0000' }),
    milestone: (title) => make('milestones', { title }),
  }
}
