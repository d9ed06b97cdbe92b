import { describe, expect, it } from 'vitest'
import type { ViewerArgs } from '../../directory/members/memberships.ts'
import { viewerKind, visibleGroups, visibleProjects } from '../../directory/members/visibility.ts'
import { explainQuery } from '../../testing/index.ts'

const sorting = expect.stringContaining('TEMP B-TREE')
const internal = viewerKind({ userId: 1, admin: false, external: false })

describe('the order of a list of projects', () => {
  const orders = [
    'id',
    'nameLower',
    'pathLower',
    'createdAt',
    'updatedAt',
    'lastActivityAt',
  ] as const
  for (const order of orders) {
    for (const direction of ['asc', 'desc'] as const) {
      it(`is served by an index: ${order}, ${direction}`, async () => {
        const plan = await explainQuery<ViewerArgs>((db, $) =>
          db
            .selectFrom('projects')
            .where(visibleProjects(internal, $))
            .orderBy(order, direction)
            .orderBy('id', direction)
            .select(['id', 'name', 'path'])
            .limit(20),
        )
        expect(plan).not.toContainEqual(sorting)
        if (order !== 'id')
          expect(plan[0]).toBe(`SCAN projects USING INDEX projects_${order}_id_index`)
      })
    }
  }

  it('is served by an index with a filter that few or nearly all rows match', async () => {
    const plan = await explainQuery<ViewerArgs>((db, $) =>
      db
        .selectFrom('projects')
        .where(visibleProjects('anonymous', $))
        .where('visibility', '=', 'public')
        .where('archived', '=', 0)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .select('id')
        .limit(20),
    )
    expect(plan).toEqual(['SCAN projects USING INDEX projects_createdAt_id_index'])
  })

  it('is counted by an index only', async () => {
    const plan = await explainQuery<ViewerArgs>((db, $) =>
      db
        .selectFrom('projects')
        .where(visibleProjects(internal, $))
        .select((eb) => eb.fn.countAll<number>().as('total')),
    )
    expect(plan[0]).toBe(
      'SCAN projects USING COVERING INDEX projects_namespaceId_createdAt_id_visibility_deletedAt_index',
    )
  })
})

describe('the order of a list of users', () => {
  for (const order of ['id', 'nameLower', 'usernameLower', 'createdAt', 'updatedAt'] as const) {
    it(`is served by an index: ${order}`, async () => {
      const plan = await explainQuery((db) =>
        db
          .selectFrom('users')
          .where('state', '=', 'active')
          .orderBy(order)
          .orderBy('id')
          .select(['id', 'name'])
          .limit(20),
      )
      expect(plan).not.toContainEqual(sorting)
    })
  }

  it('has partial indexes for blocked, administrator and external users', async () => {
    for (const [column, value] of [
      ['state', 'blocked'],
      ['admin', 1],
      ['external', 1],
    ] as const) {
      const plan = await explainQuery((db) =>
        db.selectFrom('users').where(column, '=', value).orderBy('id').select('username'),
      )
      expect(plan).toEqual([`SCAN users USING INDEX users_${column}_${value}_index`])
    }
  })
})

describe('the order of a list of groups', () => {
  for (const order of ['id', 'nameLower', 'pathLower'] as const) {
    it(`is served by an index: ${order}`, async () => {
      const plan = await explainQuery<ViewerArgs>((db, $) =>
        db
          .selectFrom('namespaces')
          .where(visibleGroups(internal, $))
          .orderBy(order)
          .orderBy('id')
          .select(['id', 'name'])
          .limit(20),
      )
      expect(plan).not.toContainEqual(sorting)
      expect(plan[0]).toMatch(/^SEARCH namespaces USING INDEX namespaces_kind_/)
    })
  }
})

describe('the order of a list of events', () => {
  for (const whose of ['authorId', 'projectId'] as const) {
    for (const filter of [undefined, 'action', 'targetType'] as const) {
      it(`comes from an index: ${whose} with ${filter ?? 'no filter'}`, async () => {
        const plan = await explainQuery<{ id: number; value: never }>((db, $) => {
          const own = db.selectFrom('events').where(whose, '=', $('id'))
          const query = filter === undefined ? own : own.where(filter, '=', $('value'))
          return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').select('id').limit(20)
        })
        const columns = [whose, ...(filter === undefined ? [] : [filter]), 'createdAt', 'id']
        expect(plan).toHaveLength(1)
        expect(plan[0]).toContain(`INDEX events_${columns.join('_')}_index`)
      })
    }
  }
})

describe('a look-up', () => {
  it('by token, session or path reads one row of an index', async () => {
    const plans = await Promise.all([
      explainQuery<{ hash: string }>((db, $) =>
        db
          .selectFrom('tokens')
          .innerJoin('users', 'users.id', 'tokens.userId')
          .where('tokenHash', '=', $('hash'))
          .select(['tokens.id', 'users.username']),
      ),
      explainQuery<{ id: string }>((db, $) =>
        db.selectFrom('sessions').where('id', '=', $('id')).select('userId'),
      ),
      explainQuery<{ path: string }>((db, $) =>
        db.selectFrom('projects').where('fullPathLower', '=', $('path')).select('name'),
      ),
    ])
    for (const step of plans.flat()) expect(step).toMatch(/^SEARCH \w+ USING (INDEX|INTEGER)/)
  })
})
