import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../testing/index.ts'

describe('the order of a list of releases', () => {
  it('is served by an index', async () => {
    const plan = await explainQuery<{ projectId: number }>((db, $) =>
      db
        .selectFrom('releases')
        .where('projectId', '=', $('projectId'))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .select(['id', 'tag', 'name'])
        .limit(20),
    )
    expect(plan).toEqual([
      'SEARCH releases USING INDEX releases_projectId_createdAt_id_index (projectId=?)',
    ])
  })

  it('reads one row of an index for a tag, and for an author', async () => {
    const [byTag] = await explainQuery<{ projectId: number; tag: string }>((db, $) =>
      db
        .selectFrom('releases')
        .where('projectId', '=', $('projectId'))
        .where('tag', '=', $('tag'))
        .select('name'),
    )
    expect(byTag).toContain('INDEX releases_projectId_tag_key')
    const [byAuthor] = await explainQuery<{ authorId: number }>((db, $) =>
      db.selectFrom('releases').where('authorId', '=', $('authorId')).select('name'),
    )
    expect(byAuthor).toContain('INDEX releases_authorId_index')
  })
})

describe('the order of a list of links', () => {
  it('is served by an index', async () => {
    const plan = await explainQuery<{ releaseId: number }>((db, $) =>
      db
        .selectFrom('releaseLinks')
        .where('releaseId', '=', $('releaseId'))
        .orderBy('id', 'desc')
        .select(['id', 'name', 'url'])
        .limit(20),
    )
    expect(plan).toEqual([
      'SEARCH releaseLinks USING INDEX releaseLinks_releaseId_id_index (releaseId=?)',
    ])
  })

  it('finds a taken name or URL by an index', async () => {
    const plan = await explainQuery<{ releaseId: number; name: string; url: string }>((db, $) =>
      db
        .selectFrom('releaseLinks')
        .where('releaseId', '=', $('releaseId'))
        .where((eb) => eb.or([eb('name', '=', $('name')), eb('url', '=', $('url'))]))
        .select(['name', 'url']),
    )
    for (const step of plan) expect(step).not.toMatch(/^SCAN/)
  })
})
