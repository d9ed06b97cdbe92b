import type { CallerFacts } from '@stithy/core'
import type { Queries, Transaction } from '../queries.ts'
import type { Flag } from '../schema/flag.ts'
import { inList } from '../sql.ts'
import { lockSshKeys } from '../ssh-keys/ssh-key-store.ts'
import { memberProjects, viewerArgs, viewerKind, visibleProjects } from '../visibility.ts'

// Whoever links a key and whoever takes it from its last project would otherwise not see each other: so
// each of them locks the key first.

/** Enables a key, locked before, on a project; one that is enabled already stays as it is. */
export async function linkDeployKey(
  tx: Transaction,
  link: { projectId: number; keyId: number; canPush: Flag; createdAt: number },
): Promise<void> {
  await tx.run('deployKeys.link', link, (db, $) =>
    db
      .insertInto('deployKeyProjects')
      .values({
        projectId: $('projectId'),
        keyId: $('keyId'),
        canPush: $('canPush'),
        createdAt: $('createdAt'),
      })
      .onConflict((conflict) => conflict.columns(['projectId', 'keyId']).doNothing()),
  )
}

/** Says whether a key may push to a project. */
export async function setDeployKeyPush(
  q: Queries,
  link: { projectId: number; keyId: number; canPush: Flag },
): Promise<void> {
  await q.run('deployKeys.push', link, (db, $) =>
    db
      .updateTable('deployKeyProjects')
      .set({ canPush: $('canPush') })
      .where('projectId', '=', $('projectId'))
      .where('keyId', '=', $('keyId')),
  )
}

/** Takes a key from a project; answers whether it was enabled there. */
export async function unlinkDeployKey(
  tx: Transaction,
  link: { projectId: number; keyId: number },
): Promise<boolean> {
  await lockSshKeys(tx, [link.keyId])
  const { changes } = await tx.run('deployKeys.unlink', link, (db, $) =>
    db
      .deleteFrom('deployKeyProjects')
      .where('projectId', '=', $('projectId'))
      .where('keyId', '=', $('keyId')),
  )
  if (changes > 0) await deleteUnusedDeployKeys(tx, [link.keyId])
  return changes > 0
}

/** Takes all keys from projects that go. */
export async function unlinkDeployKeysOf(
  tx: Transaction,
  projectIds: readonly number[],
): Promise<void> {
  const rows = await tx.all('deployKeys.linked', { projectIds }, (db, $) =>
    db
      .selectFrom('deployKeyProjects')
      .where(inList('deployKeyProjects.projectId', $('projectIds')))
      .select('keyId')
      .distinct(),
  )
  if (rows.length === 0) return
  const ids = rows.map(({ keyId }) => keyId)
  await lockSshKeys(tx, ids)
  await tx.run('deployKeys.unlink-all', { projectIds }, (db, $) =>
    db
      .deleteFrom('deployKeyProjects')
      .where(inList('deployKeyProjects.projectId', $('projectIds'))),
  )
  await deleteUnusedDeployKeys(tx, ids)
}

/** A private key goes with the last project that uses it. */
async function deleteUnusedDeployKeys(tx: Transaction, ids: readonly number[]): Promise<void> {
  await tx.run('deployKeys.delete-unused', { ids }, (db, $) =>
    db
      .deleteFrom('sshKeys')
      .where(inList('sshKeys.id', $('ids')))
      .where('sshKeys.kind', '=', 'deploy')
      .where('sshKeys.public', '=', 0)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('deployKeyProjects as link')
              .whereRef('link.keyId', '=', 'sshKeys.id')
              .select('link.keyId'),
          ),
        ),
      ),
  )
}

/** Removes a deploy key from everywhere; answers whether there was one. */
export async function deleteDeployKey(tx: Transaction, keyId: number): Promise<boolean> {
  const { changes } = await tx.run('deployKeys.delete', { keyId }, (db, $) =>
    db.deleteFrom('sshKeys').where('id', '=', $('keyId')).where('kind', '=', 'deploy'),
  )
  return changes > 0
}

/**
 * Whether a key is enabled on a project that the caller can see or, with `seen: 'key'`, on one where
 * they can see its keys too. `today` is `YYYY-MM-DD`.
 */
export async function isDeployKeyKnown(
  q: Queries,
  { keyId, seen, caller, today }: KeyKnowledge,
): Promise<boolean> {
  const kind = viewerKind(caller)
  if (kind === 'admin') return true
  const args = { keyId, ...viewerArgs(caller, today) }
  const found = await q.first(`deployKeys.known|${seen}|${kind}`, args, (db, $) =>
    db
      .selectFrom('deployKeyProjects as link')
      .innerJoin('projects', 'projects.id', 'link.projectId')
      .where('link.keyId', '=', $('keyId'))
      .where(visibleProjects(kind, $))
      .$if(seen === 'key', (query) =>
        query
          .where(memberProjects(keyReaderLevel, $))
          .where('projects.repositoryAccessLevel', '<>', 'disabled'),
      )
      .select('projects.id')
      .limit(1),
  )
  return found !== undefined
}

export interface KeyKnowledge {
  keyId: number
  seen: 'project' | 'key'
  caller: CallerFacts
  /** `YYYY-MM-DD` */
  today: string
}

/** The SQL twin of `read_deploy_keys`. */
const keyReaderLevel = 40
