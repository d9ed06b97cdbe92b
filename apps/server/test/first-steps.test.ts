import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstSteps } from '../../../docs/first-steps.ts'
import { buildTestServer, type TestServer } from '../src/testing/test-server.ts'

const folder = fileURLToPath(new URL('../../..', import.meta.url))

describe('first steps with the unmodified @gitbeaker/rest', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await buildTestServer()
  })
  afterAll(() => server.close())

  it('pushes this repository, browses it, and creates a group, a user and a member', async () => {
    const lines: string[] = []
    const host = await server.url()
    const seen = await firstSteps({
      host,
      token: server.root.token,
      folder,
      say: (line) => lines.push(line),
    })
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' })
    expect(seen.commits[0]?.id).toBe(head.trim())
    expect(seen.branches.map(({ name }) => name)).toEqual(['main'])
    expect(seen.tree.map(({ path }) => path)).toContain('packages')
    expect(seen.text).toMatch(/^# Stithy/)
    expect(seen.member).toMatchObject({ id: seen.user.id, access_level: 30 })
    expect(lines).toContain('branches: main')
  })
})
