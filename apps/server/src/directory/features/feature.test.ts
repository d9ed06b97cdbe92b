import { maxFeatureGates, maxFeatures } from '@stithy/core'
import { insertFeature, insertFeatureGate } from '@stithy/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../testing/clients/calls.ts'
import { buildTestServer, type TestServer } from '../../testing/test-server.ts'

/*
 * Statements covered:
 * - GET /features: all of them, each with `name`, `state` on, off or conditional, `gates`
 * - POST /features/:name: `value` true, false or a percentage of time; limited by `feature_group`,
 *   `user`, `group`, `project`; 201; creates it when unknown
 * - DELETE /features/:name: 204 whether or not it existed
 * - doubled slashes are one; for administrators only
 */

let server: TestServer
beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

const set = (name: string, body: unknown) =>
  callAs(server, 'POST', `/features/${name}`, server.root.token, body)
const list = async () => (await callAs(server, 'GET', '/features', server.root.token)).body
const off = { key: 'boolean', value: false }

describe('POST /features/:name', () => {
  it('turns a feature on and off', async () => {
    const on = await set('banner', { value: 'true' })
    const gates = [{ key: 'boolean', value: true }]
    expect([on.status, on.body]).toEqual([201, { name: 'banner', state: 'on', gates }])
    const changed = await set('banner', { value: false })
    expect(changed.body).toEqual({ name: 'banner', state: 'off', gates: [off] })
    expect(await list()).toContainEqual(changed.body)
  })

  it('takes a percentage, which replaces the one before; 100 is on, 0 is off', async () => {
    const at = (value: number) => [off, { key: 'percentage_of_time', value }]
    expect((await set('slow', { value: 25 })).body).toMatchObject({
      state: 'conditional',
      gates: at(25),
    })
    expect((await set('slow', { value: '60' })).body.gates).toEqual(at(60))
    expect((await set('slow', { value: 100 })).body.state).toBe('on')
    for (const value of [0, '0', 'False']) {
      await set('slow', { value: 7 })
      expect((await set('slow', { value })).body).toEqual({
        name: 'slow',
        state: 'off',
        gates: [off],
      })
    }
  })

  it('limits the switch to groups of callers, a user, a group and a project', async () => {
    const user = await server.buildUser()
    const group = await server.buildGroup()
    const project = await server.buildProject({ namespace_id: group.id })
    const limits = {
      feature_group: 'testers',
      user: user.username,
      group: group.full_path,
      project: project.path_with_namespace,
    }
    const { status, body } = await set('limited', { value: true, ...limits })
    const actors = [`User:${user.id}`, `Group:${group.id}`, `Project:${project.id}`]
    const gates = [off, { key: 'groups', value: ['testers'] }, { key: 'actors', value: actors }]
    expect([status, body]).toEqual([201, { name: 'limited', state: 'conditional', gates }])
    expect((await set('limited', { value: true, user: user.username })).body).toEqual(body)
    const fewer = await set('limited', { value: false, user: user.username })
    expect(fewer.body.gates[2].value).toEqual(actors.slice(1))
    expect((await set('limited', { value: false })).body).toMatchObject({
      state: 'off',
      gates: [off],
    })
  })

  it.each<[string, object, unknown]>([
    ['a', {}, { error: 'value is missing' }],
    ['a', { value: 'maybe' }, { error: 'value does not have a valid value' }],
    ['a', { value: 101 }, { error: 'value does not have a valid value' }],
    ['a', { value: 1.5 }, { error: 'value does not have a valid value' }],
    ['a', { value: true, user: 'nobody-here' }, { message: 'nobody-here is not found!' }],
    ['a', { value: true, group: 'root' }, { message: 'root is not found!' }],
    ['a', { value: true, project: 'x/y' }, { message: 'x/y is not found!' }],
    ['a', { value: 5, user: 'root' }, { message: 'A percentage cannot be limited' }],
    ['a', { value: true, feature_group: 'a b' }, { message: { feature_group: ['is invalid'] } }],
    ['a%20b', { value: true }, { message: { name: ['is invalid'] } }],
    [
      'x'.repeat(256),
      { value: true },
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('returns 400 for %s with %j', async (name, values, expected) => {
    const { status, body } = await set(name, values)
    expect(status).toBe(400)
    if ('error' in (expected as object)) expect(body.error).toMatch(/^value /)
    else expect(body).toEqual(expected)
    const names = (await list()).map((feature: { name: string }) => feature.name)
    expect(names).not.toContain(decodeURIComponent(name))
  })

  it('returns 400 for one feature or gate too many', async () => {
    const own = await buildTestServer()
    try {
      await own.app.db.transaction(async (tx) => {
        for (let count = 1; count < maxFeatures; count += 1) {
          await insertFeature(tx, { name: `feature${count}`, now: 0 })
        }
        const featureId = await insertFeature(tx, { name: 'full', now: 0 })
        for (let count = 0; count < maxFeatureGates; count += 1) {
          await insertFeatureGate(tx, { featureId, key: 'groups', value: `group${count}` })
        }
      })
      const add = (name: string, body: object) =>
        callAs(own, 'POST', `/features/${name}`, own.root.token, { value: true, ...body })
      expect((await add('another', {})).body).toEqual({
        message: { base: ['Maximum number of features (1000) exceeded'] },
      })
      expect((await add('full', { feature_group: 'one-more' })).status).toBe(400)
      expect((await add('full', { feature_group: 'group7' })).status).toBe(201)
    } finally {
      await own.close()
    }
  })

  it('is for administrators', async () => {
    const { token } = await server.buildUser()
    for (const [method, path] of [
      ['GET', '/features'],
      ['POST', '/features/a'],
      ['DELETE', '/features/a'],
    ] as const) {
      expect((await callAs(server, method, path, token, { value: true })).status).toBe(403)
      expect((await callAs(server, method, path)).status).toBe(401)
    }
  })
})

describe('DELETE /features/:name', () => {
  it('returns 204 whether or not there is one, also with doubled slashes', async () => {
    await set('gone', { value: true })
    for (const path of ['/features//gone', '/features/gone', '/features/%00']) {
      expect((await callAs(server, 'DELETE', path, server.root.token)).status).toBe(204)
    }
    expect(JSON.stringify(await list())).not.toContain('gone')
  })
})
