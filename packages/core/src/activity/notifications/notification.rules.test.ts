// Levels: disabled, participating, watch, global, mention, custom with its events; the project's over
// its groups' over the global one. `watch` leaves out `push_to_merge_request`, `issue_due`,
// `success_pipeline`.
import { describe, expect, it } from 'vitest'
import {
  type AppliedLevel,
  appliedLevel,
  type NotifiedEvent,
  type RecipientType,
  wantsNotification,
} from './notification.rules.ts'

const levels = ['disabled', 'mention', 'participating', 'watch', 'custom'] as const

describe('appliedLevel', () => {
  const at = (level: 'watch' | 'global' | 'disabled' | 'mention') => ({ level, events: {} })

  it('is the closest choice that is not `global`', () => {
    expect(appliedLevel({ groups: [] }).level).toBe('participating')
    expect(appliedLevel({ groups: [], global: at('mention') }).level).toBe('mention')
    const groups = [at('global'), at('watch'), at('mention')]
    expect(appliedLevel({ groups, global: at('mention') }).level).toBe('watch')
    expect(appliedLevel({ project: at('global'), groups }).level).toBe('watch')
    expect(appliedLevel({ project: at('disabled'), groups }).level).toBe('disabled')
  })
})

/** One letter for each level, in the order of `levels`: y if it is told. */
function letters(
  event: NotifiedEvent,
  types: readonly RecipientType[],
  more: { unsubscribed?: boolean; events?: AppliedLevel['events'] } = {},
): string {
  const { unsubscribed = false, events = {} } = more
  const recipient = { types: new Set(types), unsubscribed }
  return levels
    .map((level) => (wantsNotification({ level, events }, event, recipient) ? 'y' : '-'))
    .join('')
}

describe('wantsNotification', () => {
  it.each<[NotifiedEvent, RecipientType[], string, string]>([
    // Event, why, told by level, told by level after unsubscribing.
    ['new_issue', ['watch'], '---y-', '-----'],
    ['new_issue', ['participating'], '--yyy', '-----'],
    ['new_note', ['mention'], '-yyyy', '-yyyy'],
    ['new_note', ['subscription'], 'yyyyy', '-----'],
    ['push_to_merge_request', ['watch'], '-----', '-----'],
    ['push_to_merge_request', ['participating'], '--yyy', '-----'],
    ['issue_due', ['watch'], '-----', '-----'],
    ['success_pipeline', ['participating'], '-----', '-----'],
    ['failed_pipeline', ['participating'], '--yy-', '-----'],
    ['new_mention', ['mention'], '-yyyy', '-yyyy'],
  ])('%s for %j: %s', (event, types, told, unsubscribed) => {
    expect(letters(event, types)).toBe(told)
    expect(letters(event, types, { unsubscribed: true })).toBe(unsubscribed)
  })

  it('follows the events of the level `custom`', () => {
    expect(letters('new_issue', ['watch'], { events: { new_issue: true } })).toBe('---yy')
    expect(letters('new_issue', ['watch'], { events: { new_note: true } })).toBe('---y-')
    expect(letters('success_pipeline', ['watch'], { events: { success_pipeline: true } })).toBe(
      '----y',
    )
  })
})
