import type { Transaction } from '../queries.ts'
import type { Row } from '../schema/schema.ts'
import { pick } from '../sql.ts'

/** What a remark tells of. */
export interface RemarkSource {
  type: Row<'remarkSources'>['sourceType']
  /** The id, the hash of a commit, or the name of a branch. */
  key: string
  projectId: number | null
}

/** Ties a remark to what it tells of. */
export async function insertRemarkSource(
  tx: Transaction,
  remark: Pick<Row<'remarkSources'>, 'noteId' | 'targetType' | 'targetId'>,
  { type, key, projectId }: RemarkSource,
): Promise<void> {
  const { noteId, targetType, targetId } = remark
  const ends = { noteId, targetType, targetId }
  const row = { ...ends, sourceType: type, sourceKey: key, sourceProjectId: projectId }
  const names = [
    'noteId',
    'targetType',
    'targetId',
    'sourceType',
    'sourceKey',
    'sourceProjectId',
  ] as const
  await tx.run('remark-sources.add', row, (db, $) =>
    db.insertInto('remarkSources').values(pick($, names)),
  )
}
