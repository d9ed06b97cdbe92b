import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../testing/index.ts'

describe('the lists of protected refs', () => {
  it('are served in order by an index', async () => {
    const plan = await explainQuery<{ projectId: number; kind: 'branch' }>((db, $) =>
      db
        .selectFrom('protectedRefs')
        .where('projectId', '=', $('projectId'))
        .where('kind', '=', $('kind'))
        .orderBy('name')
        .select(['id', 'name'])
        .limit(20),
    )
    expect(plan).toEqual([
      expect.stringMatching(
        /^SEARCH protectedRefs USING .*INDEX protectedRefs_projectId_kind_name_key/,
      ),
    ])
  })

  it('find the access entries of each by an index', async () => {
    const plan = await explainQuery<{ projectId: number }>((db, $) =>
      db
        .selectFrom('protectedRefs as r')
        .leftJoin('protectedRefLevels as l', 'l.protectedRefId', 'r.id')
        .where('r.projectId', '=', $('projectId'))
        .select(['r.name', 'l.accessLevel']),
    )
    expect(plan).toEqual([
      expect.stringMatching(/^SEARCH r USING .*INDEX protectedRefs_projectId_kind_name_key/),
      expect.stringContaining('SEARCH l USING INDEX protectedRefLevels_protectedRefId_id_index'),
    ])
  })
})
