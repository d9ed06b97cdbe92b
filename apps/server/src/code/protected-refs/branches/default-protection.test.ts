import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAs } from '../../../testing/clients/calls.ts'
import { setSetting } from '../../../testing/settings.ts'
import { buildTestServer, type Json, type TestServer } from '../../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await buildTestServer()
})
afterAll(() => server.close())

describe('a new default branch', () => {
  const list = async (id: number) => {
    const path = `/projects/${id}/protected_branches`
    return (await callAs(server, 'GET', path, server.root.token)).body
  }

  it.each([
    [0, undefined],
    [1, [30, 40]],
    [2, [40, 40]],
    [3, [40, 30]],
  ])('is protected by setting %i when the service creates it', async (setting, levels) => {
    await setSetting(server, 'default_branch_protection', setting)
    const made = await server.buildProject({ initialize_with_readme: true })
    await setSetting(server, 'default_branch_protection', 2)
    const [found] = await list(made.id)
    expect(found?.name).toBe(levels && 'master')
    const shown = found && [found.push_access_levels, found.merge_access_levels]
    expect(shown?.map(([entry]: Json[]) => entry.access_level)).toEqual(levels)
    expect(await list((await server.buildProject()).id)).toEqual([])
  })
})
