import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildStatusFixture, type StatusFixture } from '../../testing/fixtures/status-fixture.ts'
import { commit, mustGit } from '../../testing/git/git-client.ts'
import type { Json } from '../../testing/test-server.ts'

let fixture: StatusFixture
let first: string
let second: string
let stray: string

beforeAll(async () => {
  fixture = await buildStatusFixture()
  const { tree } = fixture
  first = await mustGit(tree, 'rev-parse', 'HEAD')
  second = await commit(tree, { 'a.txt': 'a\n' }, 'Second')
  await mustGit(tree, 'branch', 'alpha', first)
  await mustGit(tree, 'checkout', '--quiet', '-b', 'lost')
  stray = await commit(tree, { 'b.txt': 'b\n' }, 'Stray')
  await mustGit(tree, 'tag', 'only-a-tag')
  await fixture.push('main', 'alpha', 'only-a-tag')
})
afterAll(() => fixture.server.close())

describe('POST /projects/:id/statuses/:sha', () => {
  it('creates a status', async () => {
    const answer = await fixture.report(first, {
      state: 'success',
      ref: 'main',
      name: 'bundler:audit',
      target_url: 'https://ci.example/builds/1',
      description: 'All is well',
      coverage: '98.33333333333333333333',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      sha: first,
      ref: 'main',
      status: 'success',
      name: 'bundler:audit',
      target_url: 'https://ci.example/builds/1',
      description: 'All is well',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_at: null,
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      allow_failure: false,
      coverage: 98.33333333333333,
      author: {
        id: fixture.developer.id,
        name: fixture.developer.name,
        username: fixture.developer.username,
        state: 'active',
        avatar_url: null,
        web_url: `http://stithy.test/${fixture.developer.username}`,
      },
    })
  })

  it('accepts short hashes, `context` for the name, forms, and the path below commits', async () => {
    const sha = await fixture.freshCommit()
    const named = await fixture.report(sha.slice(0, 8), { state: 'pending', context: 'ci/x' })
    expect(named.body).toMatchObject({ sha, name: 'ci/x', status: 'pending' })
    const both = await fixture.report(sha, { state: 'pending', name: 'ci/y', context: 'ci/z' })
    expect(both.body.name).toBe('ci/y')
    const path = `/projects/${fixture.project.id}/repository/commits/${sha}/statuses`
    const form = 'state=pending&name=&context='
    const below = await fixture.server.inject('POST', path, {
      token: fixture.developer.token,
      form,
    })
    expect(below.status).toBe(201)
    expect(below.body.name).toBe('default')
  })

  it('uses the first branch with the commit when no ref is sent', async () => {
    expect((await fixture.report(first, { state: 'pending', name: 'where' })).body.ref).toBe(
      'alpha',
    )
    expect((await fixture.report(second, { state: 'pending', name: 'where' })).body.ref).toBe(
      'main',
    )
    const full = await fixture.report(first, {
      state: 'pending',
      name: 'full',
      ref: 'refs/heads/main',
    })
    expect(full.body.ref).toBe('main')
    expect(
      (await fixture.report(first, { state: 'pending', name: 'blank', ref: '' })).body.ref,
    ).toBe('alpha')
  })

  it('returns 404 when no branch has the commit, and accepts an explicit ref', async () => {
    const lost = await fixture.report(stray, { state: 'pending' })
    expect(lost.status).toBe(404)
    expect(lost.body).toEqual({ message: '404 References for commit Not Found' })
    const tagged = await fixture.report(stray, { state: 'pending', ref: 'only-a-tag' })
    expect(tagged.status).toBe(201)
    expect(tagged.body.ref).toBe('only-a-tag')
  })

  it.each(['0'.repeat(40), 'none', '-x', '--all', '%00', 'a..b', 'x'.repeat(5000)])(
    'returns 404 for the commit %s',
    async (sha) => {
      for (const answer of [
        await fixture.report(sha, { state: 'pending' }),
        await fixture.list(sha),
      ]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual({ message: '404 Commit Not Found' })
      }
    },
  )

  it.each([
    [{}, { error: 'state is missing' }],
    [{ state: '' }, { error: 'state does not have a valid value' }],
    [{ state: 'skipped' }, { error: 'state does not have a valid value' }],
    [{ state: ['pending'] }, { error: 'state does not have a valid value' }],
    [{ state: 'pending', coverage: 'much' }, { error: 'coverage is invalid' }],
    [{ state: 'pending', pipeline_id: 'x' }, { error: 'pipeline_id is invalid' }],
    [{ state: 'pending', name: 'a\0b' }, { error: 'name is invalid' }],
    [{ state: 'pending', ref: '-x' }, { error: 'ref is invalid' }],
    [{ state: 'pending', ref: 'a b' }, { error: 'ref is invalid' }],
    [
      { state: 'pending', target_url: 'javascript:alert(1)' },
      { message: { target_url: ['must be an http or https URL'] } },
    ],
    [
      { state: 'pending', target_url: 'https://exa\nmple.com/' },
      { message: { target_url: ['must be an http or https URL'] } },
    ],
    [
      { state: 'pending', name: 'x'.repeat(256) },
      { message: { name: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('answers 400 for %j', async (body, expected) => {
    const answer = await fixture.report(first, body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(expected)
  })

  it('follows the state machine, refuses other transitions, and adds a new status after a final one', async () => {
    const sha = await fixture.freshCommit()
    const send = async (state: string) => {
      const { status, body } = await fixture.report(sha, { state, name: 'walk' })
      return status === 201 ? body : body.message
    }
    const pending = await send('pending')
    expect(pending).toMatchObject({ status: 'pending', started_at: null, finished_at: null })
    expect(await send('pending')).toBe('Cannot transition status via :enqueue from :pending')
    const running = await send('running')
    expect(running).toMatchObject({ id: pending.id, status: 'running', finished_at: null })
    expect(running.started_at).not.toBeNull()
    expect(await send('running')).toBe('Cannot transition status via :run from :running')
    expect(await send('pending')).toBe('Cannot transition status via :enqueue from :running')
    const failed = await send('failed')
    expect(failed).toMatchObject({ id: pending.id, started_at: running.started_at })
    expect(failed.finished_at).not.toBeNull()
    const again = await send('pending')
    expect(again.id).not.toBe(pending.id)
    expect(again).toMatchObject({ status: 'pending', started_at: null, finished_at: null })
    expect(await send('canceled')).toMatchObject({ id: again.id, status: 'canceled' })
    const rows = await fixture.server.app.db.all('test.reasons', { sha }, (db, $) =>
      db
        .selectFrom('commitStatuses')
        .select(['status', 'failureReason', 'retried'])
        .where('sha', '=', $('sha'))
        .orderBy('id'),
    )
    expect(rows).toEqual([
      { status: 'failed', failureReason: 'api_failure', retried: 1 },
      { status: 'canceled', failureReason: null, retried: 0 },
    ])
  })

  it('keeps earlier values that a later report omits, and changes nothing when refused', async () => {
    const sha = await fixture.freshCommit()
    const reported = { description: 'Waiting', target_url: 'http://ci.example', coverage: 1 }
    await fixture.report(sha, { state: 'pending', name: 'keep', ...reported })
    const running = await fixture.report(sha, { state: 'running', name: 'keep', coverage: 2 })
    expect(running.body).toMatchObject({ ...reported, coverage: 2 })
    await fixture.report(sha, { state: 'running', name: 'keep', description: 'Refused' })
    expect((await fixture.list(sha)).body).toEqual([running.body])
  })

  it('reuses the newest pipeline of the commit on the ref, and creates one for another ref', async () => {
    const sha = await fixture.freshCommit()
    await fixture.report(sha, { state: 'success', name: 'a' })
    const { last_pipeline: one } = await fixture.detail(sha)
    await fixture.report(sha, { state: 'failed', name: 'b' })
    expect((await fixture.detail(sha)).last_pipeline).toEqual({ ...one, status: 'failed' })
    await fixture.report(sha, { state: 'pending', name: 'a', ref: 'elsewhere' })
    const { last_pipeline: other, status } = await fixture.detail(sha)
    expect(other).toMatchObject({ ref: 'elsewhere', sha, status: 'pending' })
    expect(other.id).toBeGreaterThan(one.id)
    expect(status).toBe('pending')
    const aimed = await fixture.report(sha, { state: 'pending', name: 'c', pipeline_id: one.id })
    expect(aimed.body.ref).toBe('main')
    const mismatch = [
      await fixture.report(first, { state: 'pending', pipeline_id: one.id }),
      await fixture.report(sha, { state: 'pending', pipeline_id: one.id, ref: 'elsewhere' }),
      await fixture.report(sha, { state: 'pending', pipeline_id: 999_999 }),
    ]
    for (const answer of mismatch) expect(answer.status).toBe(404)
  })

  it('creates one pipeline and loses nothing with concurrent reports', async () => {
    const sha = await fixture.freshCommit()
    const names = Array.from({ length: 12 }, (_, index) => `job ${index}`)
    const made = await Promise.all(
      names.map((name) => fixture.report(sha, { state: 'success', name })),
    )
    expect(made.map(({ status }) => status)).toEqual(names.map(() => 201))
    const same = await Promise.all(
      names.map(() => fixture.report(sha, { state: 'pending', name: 'one' })),
    )
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1)
    const pipelines = await fixture.server.app.db.all('test.pipelines', { sha }, (db, $) =>
      db.selectFrom('pipelines').select(['id', 'source', 'status']).where('sha', '=', $('sha')),
    )
    expect(pipelines).toEqual([{ id: expect.any(Number), source: 'external', status: 'running' }])
    const listed = (await fixture.list(sha)).body.map(({ name }: Json) => name)
    expect(listed.toSorted()).toEqual([...names, 'one'].toSorted())
  })

  it('requires the Developer role, and returns 403 in an archived project', async () => {
    const reporter = await fixture.server.buildUser()
    await fixture.server.addMember(`projects/${fixture.project.id}`, reporter.id, 20)
    expect((await fixture.report(first, { state: 'pending' }, reporter.token)).status).toBe(403)
    const reader = await fixture.server.buildToken(fixture.developer.id, ['read_repository'])
    expect((await fixture.report(first, { state: 'pending' }, reader)).status).toBe(403)
    const stranger = await fixture.server.buildUser()
    const hidden = await fixture.server.buildProject()
    const unseen = await fixture.report(first, { state: 'pending' }, stranger.token, hidden.id)
    expect(unseen.status).toBe(404)
    const archived = await fixture.server.buildProject()
    const root = { token: fixture.server.root.token }
    await fixture.server.inject('POST', `/projects/${archived.id}/archive`, root)
    const frozen = await fixture.report(
      first,
      { state: 'pending' },
      fixture.server.root.token,
      archived.id,
    )
    expect(frozen.status).toBe(403)
    const empty = await fixture.server.buildProject()
    expect(
      (await fixture.report(first, { state: 'pending' }, fixture.server.root.token, empty.id))
        .status,
    ).toBe(404)
  })
})
