import { describe, expect, it } from 'vitest'
import { caller, ids, matrixOf, projectFacts } from '../../testing/policy-matrix.ts'
import { awardRules, decideOnAward } from './award-policy.ts'

describe('decideOnAward', () => {
  it('lets only its owner and administrators remove an award', () => {
    const rows = matrixOf(awardRules, (ability, viewer) =>
      decideOnAward(ability, viewer.caller, {
        scope: { project: viewer.project },
        userId: ids.author,
      }),
    )
    expect(rows).toEqual({ read_award: 'yyy yyyy yyyyy', remove_award: '!!! ?!y! !!!!y' })
  })

  it('returns 401 to other users, and 404 to those who may not comment', () => {
    const refusalFor = (facts: Parameters<typeof caller>[0]) => {
      const project = projectFacts({ visibility: 'public' })
      return decideOnAward('remove_award', caller(facts), {
        scope: { project },
        userId: ids.author,
      }).refusal
    }
    expect(refusalFor({})).toEqual({ code: 'unauthorized' })
    expect(refusalFor({ external: true })).toEqual({ code: 'not_found', message: 'Award Emoji' })
  })

  it('follows the same table on epics', () => {
    const rows = matrixOf(awardRules, (ability, { caller: by, project: { visibility, level } }) =>
      decideOnAward(ability, by, {
        scope: { group: { visibility, level, holdsReadableProject: false } },
        userId: ids.author,
      }),
    )
    expect(rows).toEqual({ read_award: 'yyy yyyy yyyyy', remove_award: '!!! ?!y! !!!!y' })
  })

  it('cannot be removed in an archived project', () => {
    const scope = { project: projectFacts({ archived: true, level: 50 }) }
    const facts = { scope, userId: ids.author }
    expect(decideOnAward('remove_award', caller({ userId: ids.author }), facts)).toEqual({
      allowed: false,
      reason: 'The project is archived',
    })
  })
})
