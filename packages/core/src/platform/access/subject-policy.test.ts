import { describe, expect, it } from 'vitest'
import { subjectPolicies } from '../../app/abilities.ts'
import { anonymousCaller, caller } from '../../testing/policy-matrix.ts'
import { absent, refusalError } from './rule.ts'
import { accessSteps } from './subject-policy.ts'

describe('accessSteps', () => {
  it('starts with the project and ends with the subject', () => {
    const auth = { on: 'award', within: ['issue', 'note'], ability: 'remove_award' }
    expect(accessSteps(subjectPolicies, auth)).toEqual([
      { subject: 'project', abilities: ['read_issues'] },
      { subject: 'issue', abilities: ['read_issue'] },
      { subject: 'note', abilities: ['read_note'] },
      { subject: 'award', abilities: ['remove_award'] },
    ])
  })

  it('requires the parent ability', () => {
    const auth = { on: 'note', within: ['commit'], ability: 'update_note' }
    expect(accessSteps(subjectPolicies, auth)).toEqual([
      { subject: 'project', abilities: ['read_code', 'comment_on_commit'] },
      { subject: 'commit', abilities: ['comment_on_commit'] },
      { subject: 'note', abilities: ['update_note'] },
    ])
  })

  it('throws for an unknown subject', () => {
    const auth = { on: 'planet', ability: 'read_planet' }
    expect(() => accessSteps(subjectPolicies, auth)).toThrow('no policy for the subject planet')
  })
})

describe('refusalError', () => {
  const forbidden = { allowed: false, reason: 'The project is archived' }

  it('names the absent resource, for anonymous callers too', () => {
    for (const by of [anonymousCaller, caller()]) {
      expect(refusalError(absent, by, 'Issue')).toMatchObject({
        code: 'not_found',
        detail: { message: 'Issue' },
      })
    }
  })

  it('is unauthorized for anonymous callers, forbidden with a reason for others', () => {
    expect(refusalError(forbidden, anonymousCaller, 'Issue').code).toBe('unauthorized')
    expect(refusalError(forbidden, caller(), 'Issue')).toMatchObject({
      code: 'forbidden',
      detail: { message: 'The project is archived' },
    })
  })

  it('uses the refusal of the rule for every caller', () => {
    const decision = { allowed: false, refusal: { code: 'bad_request', message: 'No' } } as const
    expect(refusalError(decision, anonymousCaller, 'Issue')).toMatchObject({
      code: 'bad_request',
      detail: { message: 'No' },
    })
  })
})
