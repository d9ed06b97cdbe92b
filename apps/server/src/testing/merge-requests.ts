import { findMergeRequestById, type MergeRequestRow, type Row } from '@stithy/store'
import type { RepositoryFixture } from './git/repository-fixture.ts'
import type { Json, TestServer } from './test-server.ts'

/** Reads a stored merge request. */
export async function readRequest(server: TestServer, id: number): Promise<MergeRequestRow> {
  const row = await findMergeRequestById(server.app.db, id)
  if (row === undefined) throw new Error(`no merge request ${id}`)
  return row
}

/** Reads its versions, oldest first. */
export function readVersions(
  server: TestServer,
  mergeRequestId: number,
): Promise<Row<'mergeRequestVersions'>[]> {
  return server.app.db.all('test.versions', { mergeRequestId }, (db, $) =>
    db
      .selectFrom('mergeRequestVersions')
      .where('mergeRequestId', '=', $('mergeRequestId'))
      .orderBy('id')
      .selectAll(),
  )
}

/** Reads the events of a project as root. */
export async function readEvents(
  server: TestServer,
  projectId: number,
  action: string,
): Promise<Json[]> {
  const path = `/projects/${projectId}/events`
  const { token } = server.root
  return (await server.inject('GET', path, { token, query: `action=${action}` })).body
}

/** The published head ref of a merge request, read by a git client; empty for none. */
export async function remoteHead({ git, remote }: RepositoryFixture, iid: number): Promise<string> {
  const line = await git('ls-remote', remote, `refs/merge-requests/${iid}/head`)
  return line.slice(0, 40)
}
