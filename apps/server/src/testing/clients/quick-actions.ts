import { expect } from 'vitest'
import type { IssueFixture } from '../fixtures/issues.ts'
import type { InjectedAnswer, Json } from '../test-server.ts'
import { created } from './calls.ts'

export type Who = 'guest' | 'reporter' | 'developer' | 'stranger'

/** Helpers to run quick actions in comments on issues. */
export interface QuickActionHelpers {
  /** Comments on an issue, by default as the reporter. */
  say: (issue: Json, body: string, who?: Who) => Promise<InjectedAnswer>
  /** Reads an issue, by default as the reporter. */
  read: (issue: Json, who?: Who) => Promise<Json>
  /** Comments with commands and a word of text; returns the updated issue. */
  run: (issue: Json, command: string, who?: Who) => Promise<Json>
  label: (name: string) => Promise<Json>
  milestone: (title: string) => Promise<Json>
}

export function quickActionHelpers(fixture: IssueFixture): QuickActionHelpers {
  const say: QuickActionHelpers['say'] = (issue, body, who = 'reporter') =>
    fixture.call('POST', `/${issue.iid}/notes`, { body }, fixture[who])
  const read: QuickActionHelpers['read'] = async (issue, who = 'reporter') =>
    (await fixture.call('GET', `/${issue.iid}`, undefined, fixture[who])).body
  const make = (kind: string, body: object) =>
    created(fixture.server, `/projects/${fixture.project.id}/${kind}`, body)
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
