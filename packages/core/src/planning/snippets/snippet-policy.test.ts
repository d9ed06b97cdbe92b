import { describe, expect, it } from 'vitest'
import { type Visibility, visibilities } from '../../platform/access/level.ts'
import { ids, matrixOf, rowOf, viewers } from '../../testing/policy-matrix.ts'
import { decideOnPersonalSnippet, personalSnippetRules } from './personal-snippet-policy.ts'
import { decideOnSnippet, snippetRules } from './snippet-policy.ts'

describe('decideOnSnippet', () => {
  const matrix = (visibility: Visibility) =>
    matrixOf(snippetRules, (ability, { caller, project }) =>
      decideOnSnippet(ability, caller, project, { visibility, authorId: ids.author }),
    )

  it('follows the table for public snippets', () => {
    expect(matrix('public')).toEqual({
      read_snippet: 'yyy ?yyy yyyyy',
      update_snippet: '--- ?-y- --yyy',
      delete_snippet: '--- ?-y- --yyy',
      comment_on_snippet: '--y ?yyy yyyyy',
      award_snippet: '!!y ?yyy yyyyy',
    })
  })

  it('lets only the author and administrators change an internal snippet', () => {
    expect(matrix('internal')).toEqual({
      read_snippet: '??y ?yyy yyyyy',
      update_snippet: '??- ?-y- ----y',
      delete_snippet: '??- ?-y- ----y',
      comment_on_snippet: '??y ?yyy yyyyy',
      award_snippet: '??y ?yyy yyyyy',
    })
  })

  it('shows a private snippet only to members', () => {
    expect(matrix('private').read_snippet).toBe('??? ?yyy yyyyy')
    expect(matrix('private').update_snippet).toBe('??? ?-y- --yyy')
  })

  it('refuses changes in an archived project, even by the author', () => {
    const snippet = { visibility: 'public', authorId: ids.author } as const
    for (const { caller, project } of viewers.filter((one) => one.project.level > 0)) {
      const archived = { ...project, archived: true }
      expect(decideOnSnippet('update_snippet', caller, archived, snippet).allowed).toBe(false)
    }
  })
})

describe('decideOnPersonalSnippet', () => {
  const snippet = (visibility: Visibility) => ({ visibility, authorId: ids.author })

  it.each(visibilities)('only the author and administrators change a %s snippet', (visibility) => {
    for (const ability of ['update_personal_snippet', 'delete_personal_snippet'] as const) {
      const row = rowOf(({ caller }) =>
        decideOnPersonalSnippet(ability, caller, {
          snippet: snippet(visibility),
          project: undefined,
        }),
      )
      expect(row).toBe('??? ??y? ????y')
    }
  })

  it('reading depends on the visibility', () => {
    const rows = visibilities.map((visibility) =>
      rowOf(({ caller }) =>
        decideOnPersonalSnippet('read_personal_snippet', caller, {
          snippet: snippet(visibility),
          project: undefined,
        }),
      ),
    )
    expect(rows).toEqual(['??? ??y? ????y', '??y yyyy yyyyy', 'yyy yyyy yyyyy'])
  })

  it('project snippets can be read by users of the project, but not changed', () => {
    const rows = matrixOf(personalSnippetRules, (ability, { caller, project }) =>
      decideOnPersonalSnippet(ability, caller, { snippet: snippet('public'), project }),
    )
    expect(rows).toEqual({
      read_personal_snippet: 'yyy ?yyy yyyyy',
      update_personal_snippet: '??? ???? ?????',
      delete_personal_snippet: '??? ???? ?????',
    })
  })
})
