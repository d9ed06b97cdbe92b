import { describe, expect, it } from 'vitest'
import { accessSteps } from '../platform/access/subject-policy.ts'
import type { Contract } from '../platform/contract/endpoint.ts'
import { type SubjectType, subjectPolicies } from './abilities.ts'
import { contracts } from './registry.ts'

const endpoints = Object.values<Contract>(contracts).flatMap((contract) => Object.values(contract))
const named = endpoints.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
)

/** Render or check the submitted text, and write nothing. */
const withoutEffect: ReadonlySet<string> = new Set([
  'POST /markdown',
  'POST /markdown/batch',
  'POST /ci/lint',
])

describe('auth of contracts', () => {
  it.each(named)('%s names existing subjects and abilities', (_, { auth }) => {
    if (typeof auth === 'string' || auth.on === undefined) return
    for (const { subject, abilities } of accessSteps(subjectPolicies, auth)) {
      const { rules } = subjectPolicies[subject as SubjectType]
      expect(abilities.length).toBeGreaterThan(0)
      for (const ability of abilities) expect(Object.keys(rules)).toContain(ability)
    }
  })

  it.each(named)('%s loads subjects from its path', (_, endpoint) => {
    const { auth, path, subjectParam } = endpoint
    if (typeof auth === 'string' || auth.on === undefined || auth.on === 'instance') return
    const [outermost] = accessSteps(subjectPolicies, auth)
    const hasParentId = outermost?.subject === 'project' || outermost?.subject === 'group'
    if (hasParentId)
      expect(path).toMatch(new RegExp(`^/${outermost.subject}s/:${subjectParam ?? 'id'}`))
    for (const { subject } of accessSteps(subjectPolicies, auth)) {
      expect(path).toMatch(parameters[subject as SubjectType])
    }
  })

  it.each(named.filter(([name, { method }]) => method !== 'GET' && !withoutEffect.has(name)))(
    '%s requires a writing ability',
    (_, { auth }) => {
      expect(auth).toMatchObject({ on: expect.any(String), ability: expect.any(String) })
      const ability = typeof auth === 'object' && auth.on !== undefined ? auth.ability : ''
      expect(ability).not.toMatch(/^read_/)
    },
  )
})

/** The path parameter that identifies each type of subject. */
const parameters: Record<SubjectType, RegExp> = {
  award: /:award_id$/,
  commit: /\/commits\/:sha/,
  discussion: /:discussion_id/,
  epic: /:epic_(id|iid)/,
  group: /^\/groups\/:/,
  group_member: /:user_id/,
  instance: /^/,
  issue: /:issue_iid/,
  merge_request: /:merge_request_iid/,
  note: /:note_id/,
  personal_snippet: /^\/snippets\/:snippet_id/,
  project: /^\/projects\/:/,
  project_member: /:user_id/,
  snippet: /:snippet_id/,
  suggestion: /:suggestion_id/,
  todo: /:todo_id/,
}
