import { describe, expect, it } from 'vitest'
import { caller, ids, matrixOf, projectFacts } from '../../testing/policy-matrix.ts'
import { awardRules, decideOnAward } from './award-policy.ts'

describe('decideOnAward', () => {
  it('lets only its owner and administrators remove an award', () => {
    const rows = matrixOf(awardRules, (ability, viewer) =>
      decideOnAward(ability, viewer.caller, { project: viewer.project, userId: ids.author }),
    )
    expect(rows).toEqual({ read_award: 'yyy yyyy yyyyy', remove_award: '!!! ?!y! !!!!y' })
  })

  it('returns 401 to other users, and 404 to those who may not comment', () => {
    const refusalFor = (facts: Parameters<typeof caller>[0]) => {
      const project = projectFacts({ visibility: 'public' })
      return decideOnAward('remove_award', caller(facts), { project, userId: ids.author }).refusal
    }
    expect(refusalFor({})).toEqual({ code: 'unauthorized' })
    expect(refusalFor({ external: true })).toEqual({ code: 'not_found', message: 'Award Emoji' })
  })

  it('cannot be removed in an archived project', () => {
    const facts = { project: projectFacts({ archived: true, level: 50 }), userId: ids.author }
    expect(decideOnAward('remove_award', caller({ userId: ids.author }), facts)).toEqual({
      allowed: false,
      reason: 'The project is archived',
    })
  })
})
