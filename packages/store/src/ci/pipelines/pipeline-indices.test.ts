import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../testing/index.ts'

const sorting = expect.stringContaining('TEMP B-TREE')

interface Args {
  id: number
  sha: string
  value: never
}

describe('the statuses of a commit', () => {
  for (const filter of ['none', 'retried', 'ref', 'stage', 'name'] as const) {
    it(`are served in order by an index: ${filter}`, async () => {
      const plan = await explainQuery<Args>((db, $) =>
        db
          .selectFrom('commitStatuses')
          .where('projectId', '=', $('id'))
          .where('sha', '=', $('sha'))
          .$if(filter !== 'none', (query) =>
            query.where(filter === 'none' ? 'ref' : filter, '=', $('value')),
          )
          .orderBy('id')
          .select('name')
          .limit(20),
      )
      expect(plan).not.toContainEqual(sorting)
      expect(plan).toEqual([expect.stringContaining('INDEX commitStatuses_projectId_sha_')])
    })
  }

  it('are found by name in a pipeline through an index', async () => {
    const plan = await explainQuery<Args>((db, $) =>
      db
        .selectFrom('commitStatuses')
        .where('pipelineId', '=', $('id'))
        .where('retried', '=', 0)
        .where('name', '=', $('sha'))
        .orderBy('id', 'desc')
        .select('id')
        .limit(1),
    )
    expect(plan).toEqual([
      'SEARCH commitStatuses USING COVERING INDEX commitStatuses_pipelineId_retried_name_id_index (pipelineId=? AND retried=? AND name=?)',
    ])
  })
})

describe('the pipelines of a project', () => {
  it('give the newest one of a commit without reading others', async () => {
    const plan = await explainQuery<Args>((db, $) =>
      db
        .selectFrom('pipelines')
        .where('projectId', '=', $('id'))
        .where('sha', '=', $('sha'))
        .orderBy('id', 'desc')
        .select(['ref', 'status'])
        .limit(1),
    )
    expect(plan).toEqual([
      'SEARCH pipelines USING INDEX pipelines_projectId_sha_id_index (projectId=? AND sha=?)',
    ])
  })

  for (const column of ['ref', 'status', 'userId'] as const) {
    it(`are filtered and ordered by an index: ${column}`, async () => {
      const filtered = await explainQuery<Args>((db, $) =>
        db
          .selectFrom('pipelines')
          .where('projectId', '=', $('id'))
          .where(column, '=', $('value'))
          .orderBy('id', 'desc')
          .select('sha')
          .limit(20),
      )
      const ordered = await explainQuery<Args>((db, $) =>
        db
          .selectFrom('pipelines')
          .where('projectId', '=', $('id'))
          .orderBy(column, 'desc')
          .orderBy('id', 'desc')
          .select('sha')
          .limit(20),
      )
      for (const plan of [filtered, ordered]) {
        expect(plan).toEqual([expect.stringContaining(`pipelines_projectId_${column}_id_index`)])
      }
    })
  }
})

describe('the hooks of a project', () => {
  it('are served in order by an index', async () => {
    const plan = await explainQuery<Args>((db, $) =>
      db
        .selectFrom('webhooks')
        .where('projectId', '=', $('id'))
        .where('pushEvents', '=', 1)
        .orderBy('id')
        .select('url'),
    )
    expect(plan).toEqual(['SEARCH webhooks USING INDEX webhooks_projectId_id_index (projectId=?)'])
  })
})
