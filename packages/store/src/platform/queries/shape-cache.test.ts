import { describe, expect, it } from 'vitest'
import { createBuilder } from '../dialect/compilers.ts'
import type { DialectName } from './queries.ts'
import { bindValues, createShapeCache } from './shape-cache.ts'
import { inList, matches } from './sql.ts'

function cache(dialect: DialectName = 'sqlite', check = false) {
  return createShapeCache<object>(createBuilder(dialect), check)
}

describe('createShapeCache', () => {
  it('builds a shape once', () => {
    const shapes = cache()
    let built = 0
    const use = () =>
      shapes.get<{ id: number }, unknown>('user', (db, $) => {
        built += 1
        return db.selectFrom('users').select('id').where('id', '=', $('id'))
      })
    expect(use()).toBe(use())
    expect(built).toBe(1)
  })

  it('drops the oldest shape beyond two thousand', () => {
    const shapes = cache()
    const built: string[] = []
    const use = (name: string) =>
      shapes.get(name, (db) => {
        built.push(name)
        return db.selectFrom('users').select('id')
      })
    for (let number = 0; number < 2000; number += 1) use(`users.${number}`)
    use('users.0')
    expect(built).toHaveLength(2000)
    use('one more')
    use('users.1')
    use('users.0')
    expect(built.slice(2000)).toEqual(['one more', 'users.0'])
  })

  it('writes placeholders that hide values from the planner of SQLite, and constants as they are', () => {
    const shape = cache().get<{ id: number; n: number }, unknown>('user', (db, $) =>
      db
        .selectFrom('users')
        .select('id')
        .where('id', '=', $('id'))
        .where('kind', '=', 'human')
        .where('name', '=', "it's")
        .limit($('n')),
    )
    expect(shape.sql).toBe(
      `select "id" from "users" where "id" = +? and "kind" = 'human' and "name" = +? limit +?`,
    )
    expect(bindValues('sqlite', 'user', shape, { id: 7, n: 20 })).toEqual([7, "it's", 20])
  })

  it('binds markers in lists, inserts and sql', () => {
    const shape = cache('postgres').get<{ a: number; b: number }, unknown>('users', (db, $) =>
      db
        .selectFrom('users')
        .select('id')
        .where('id', 'in', [$('a'), $('b')]),
    )
    expect(shape.sql).toBe('select "id" from "users" where "id" in ($1, $2)')
    expect(bindValues('postgres', 'users', shape, { b: 2, a: 1 })).toEqual([1, 2])
  })

  it('uses one text for lists of every length', () => {
    const text = (dialect: DialectName) =>
      cache(dialect).get<{ ids: number[]; p: string }, unknown>('users', (db, $) =>
        db
          .selectFrom('users')
          .select('id')
          .where(inList('users.id', $('ids')))
          .where(matches('users.nameLower', $('p'))),
      ).sql
    expect(text('sqlite')).toContain('"users"."id" in (select value from json_each(+?))')
    expect(text('sqlite')).toContain(`"users"."nameLower" like +? escape '\\'`)
    expect(text('postgres')).toContain('"users"."id" = any($1)')
  })

  it('rejects computing with a marker, and a missing argument', () => {
    const shapes = cache()
    expect(() =>
      shapes.get<{ page: number }, unknown>('page', (db, $) =>
        db
          .selectFrom('users')
          .select('id')
          .limit($('page') * 20),
      ),
    ).toThrow(/is a marker/)
    const shape = shapes.get<{ id: number }, unknown>('user', (db, $) =>
      db.selectFrom('users').select('id').where('id', '=', $('id')),
    )
    expect(() => bindValues('sqlite', 'user', shape, {})).toThrow(/no value for \$\('id'\)/)
  })

  it('rejects, with check, a shape that is built in two ways', () => {
    const shapes = cache('sqlite', true)
    const use = (column: 'id' | 'name', kind: string) =>
      shapes.get<object, unknown>('user', (db) =>
        db
          .selectFrom('users')
          .select(column)
          .where('kind', '=', kind as 'human'),
      )
    use('id', 'human')
    expect(() => use('id', 'human')).not.toThrow()
    expect(() => use('name', 'human')).toThrow(/built in two ways/)
    expect(() => use('id', 'ghost')).toThrow(/built in two ways/)
  })
})
