import type { Kysely } from 'kysely'
import { createTools, type Tools } from './tools.ts'

/** Deploy keys and tokens, and the upkeep of repositories. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const t = createTools(db, dialect)
  await createKeys(t)
  await createDeployTokens(t)
  const upkeep = { projectId: t.owner('projects'), pushCount: t.int(), jobId: t.longOrNull() }
  await t.table('repositoryUpkeep', upkeep, ['projectId'])
}

async function createKeys(t: Tools): Promise<void> {
  await t.table('sshKeys', {
    id: t.id(),
    kind: t.text(),
    userId: t.ownerOrNull('users'),
    creatorId: t.mentionOrNull('users'),
    title: t.text(),
    key: t.text(),
    fingerprint: t.text(),
    public: t.int(0),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('sshKeys', 'fingerprint')
  await t.index('sshKeys', 'kind', 'id')
  await t.index('sshKeys', 'userId', 'id')
  await t.index('sshKeys', 'creatorId')
  const link = {
    projectId: t.owner('projects'),
    keyId: t.owner('sshKeys'),
    canPush: t.int(),
    createdAt: t.long(),
  }
  await t.table('deployKeyProjects', link, ['projectId', 'keyId'])
  await t.index('deployKeyProjects', 'keyId')
}

async function createDeployTokens(t: Tools): Promise<void> {
  await t.table('deployTokens', {
    id: t.id(),
    projectId: t.owner('projects'),
    creatorId: t.mentionOrNull('users'),
    name: t.text(),
    username: t.textOrNull(),
    tokenHash: t.text(),
    scopes: t.text(),
    expiresAt: t.longOrNull(),
    createdAt: t.long(),
  })
  await t.unique('deployTokens', 'tokenHash')
  await t.index('deployTokens', 'projectId', 'id')
  await t.index('deployTokens', 'creatorId')
}
