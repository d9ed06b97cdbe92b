import { findMergeRequestById, type MergeRequestRow, type Row } from '@stithy/store'
import type { WorkPlace } from './git/work-place.ts'
import type { Json, TestServer } from './test-server.ts'

/** A merge request as it is kept. */
export async function readRequest(server: TestServer, id: number): Promise<MergeRequestRow> {
  const row = await findMergeRequestById(server.app.db, id)
  if (row === undefined) throw new Error(`no merge request ${id}`)
  return row
}

/** Its versions, the oldest first. */
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

/** What was done in a project, as root sees it. */
export async function readEvents(
  server: TestServer,
  projectId: number,
  action: string,
): Promise<Json[]> {
  const path = `/projects/${projectId}/events`
  const { token } = server.root
  return (await server.inject('GET', path, { token, query: `action=${action}` })).body
}

/** The published head of a merge request, as a git client sees it; empty for none. */
export async function remoteHead({ git, remote }: WorkPlace, iid: number): Promise<string> {
  const line = await git('ls-remote', remote, `refs/merge-requests/${iid}/head`)
  return line.slice(0, 40)
}
