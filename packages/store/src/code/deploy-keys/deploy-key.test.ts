import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../testing/index.ts'

const sorting = expect.stringContaining('TEMP B-TREE')

describe('a list of deploy keys', () => {
  it('is served in order by an index, for all keys and for a project', async () => {
    const all = await explainQuery((db) =>
      db.selectFrom('sshKeys').select('title').where('kind', '=', 'deploy').orderBy('id').limit(20),
    )
    expect(all).toEqual(['SEARCH sshKeys USING INDEX sshKeys_kind_id_index (kind=?)'])
    const own = await explainQuery<{ projectId: number }>((db, $) =>
      db
        .selectFrom('deployKeyProjects as link')
        .innerJoin('sshKeys', 'sshKeys.id', 'link.keyId')
        .select(['sshKeys.title', 'link.canPush'])
        .where('link.projectId', '=', $('projectId'))
        .orderBy('link.keyId')
        .limit(20),
    )
    expect(own).not.toContainEqual(sorting)
    for (const step of own) expect(step).toMatch(/^SEARCH/)
  })
})

describe('a look-up', () => {
  it('by fingerprint, deploy token or key reads an index', async () => {
    const plans = await Promise.all([
      explainQuery<{ hash: string }>((db, $) =>
        db.selectFrom('sshKeys').select('id').where('fingerprint', '=', $('hash')),
      ),
      explainQuery<{ hash: string }>((db, $) =>
        db.selectFrom('deployTokens').select('id').where('tokenHash', '=', $('hash')),
      ),
      explainQuery<{ id: number }>((db, $) =>
        db
          .selectFrom('deployTokens')
          .select('name')
          .where('projectId', '=', $('id'))
          .orderBy('id')
          .limit(20),
      ),
      explainQuery<{ id: number }>((db, $) =>
        db.selectFrom('deployKeyProjects').select('projectId').where('keyId', '=', $('id')),
      ),
    ])
    for (const step of plans.flat()) expect(step).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX/)
    expect(plans.flat()).not.toContainEqual(sorting)
  })
})
