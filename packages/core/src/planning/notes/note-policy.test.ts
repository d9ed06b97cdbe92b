import { describe, expect, it } from 'vitest'
import { ids, matrixOf, rowOf } from '../../testing/policy-matrix.ts'
import { decideOnDiscussion, discussionRules } from '../discussions/discussion-policy.ts'
import { decideOnNote, noteRules } from './note-policy.ts'

describe('decideOnNote', () => {
  const matrix = ({
    system = false,
    requestAuthorId,
  }: {
    system?: boolean
    requestAuthorId?: number
  }) =>
    matrixOf(noteRules, (ability, { caller, project }) =>
      decideOnNote(ability, caller, {
        scope: { project },
        authorId: ids.author,
        system,
        requestAuthorId,
      }),
    )

  it('lets only the author and maintainers change a note', () => {
    expect(matrix({})).toEqual({
      read_note: 'yyy yyyy yyyyy',
      update_note: '--- --y- --yyy',
      delete_note: '--- --y- --yyy',
      resolve_note: '--- --y- -----',
      update_or_resolve_note: '--- --y- --yyy',
      award_note: '!!y ?yyy yyyyy',
    })
  })

  it('refuses changes of a system note', () => {
    expect(matrix({ system: true })).toMatchObject({
      update_note: '--- ---- -----',
      delete_note: '--- ---- -----',
      award_note: '!!! ?!!! !!!!!',
    })
  })

  it('lets developers, its author and the author of the merge request resolve a note', () => {
    const rows = matrix({ requestAuthorId: ids.assignee })
    expect(rows.resolve_note).toBe('--- --yy -yyyy')
    expect(rows.update_or_resolve_note).toBe('--- --yy -yyyy')
    expect(rows.update_note).toBe('--- --y- --yyy')
  })

  it('lets maintainers of the group moderate notes on epics', () => {
    const rows = matrixOf(noteRules, (ability, { caller, project }) => {
      const { visibility, level } = project
      const group = { visibility, level, holdsReadableProject: false }
      return decideOnNote(ability, caller, {
        scope: { group },
        authorId: ids.author,
        system: false,
      })
    })
    expect(rows).toMatchObject({
      update_note: '--- --y- --yyy',
      resolve_note: '--- --y- -----',
      award_note: '!!y ?yyy yyyyy',
    })
  })
})

describe('decideOnDiscussion', () => {
  it('follows the table, on merge requests', () => {
    const rows = matrixOf(discussionRules, (ability, { caller, project }) =>
      decideOnDiscussion(ability, caller, { scope: { project }, requestAuthorId: ids.author }),
    )
    expect(rows).toEqual({
      read_discussion: 'yyy yyyy yyyyy',
      reply_to_discussion: 'yyy yyyy yyyyy',
      resolve_discussion: '--- --y- -yyyy',
    })
  })

  it('refuses to resolve discussions on other items', () => {
    const row = rowOf(({ caller, project }) =>
      decideOnDiscussion('resolve_discussion', caller, { scope: { project } }),
    )
    expect(row).toBe('--- ---- -----')
  })

  it('refuses to resolve discussions in an archived project', () => {
    const row = rowOf(({ caller, project }) =>
      decideOnDiscussion('resolve_discussion', caller, {
        scope: { project: { ...project, archived: true } },
        requestAuthorId: ids.author,
      }),
    )
    expect(row).toBe('--- ---- -----')
  })
})
