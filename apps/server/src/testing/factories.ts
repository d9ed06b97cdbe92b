import { findRepository } from '@stithy/store'
import { createToken } from '../directory/tokens/token.service.ts'
import type { App } from '../platform/app.ts'
import {
  createMergeRequest,
  type MergeRequestCreation,
} from '../review/merge-requests/merge-request-create.service.ts'
import type { Inject, Json } from './test-server.ts'

export interface TestUser {
  id: number
  username: string
  name: string
  email: string
  password: string
  /** A personal access token with scope `api`. */
  token: string
}

export interface Factories {
  /** Creates a user with a token; values that are not given are generated and unique. */
  buildUser: (overrides?: Record<string, unknown>) => Promise<TestUser>
  /** Creates a token with the given scopes. */
  buildToken: (userId: number, scopes: readonly string[], expiresOn?: string) => Promise<string>
  /** Creates a group, by default owned by root; returns the answer of POST /groups. */
  buildGroup: (overrides?: Record<string, unknown>, owner?: { token: string }) => Promise<Json>
  /** Creates a project, by default owned by root; returns the answer of POST /projects. */
  buildProject: (overrides?: Record<string, unknown>, owner?: { token: string }) => Promise<Json>
  /**
   * Creates a merge request between two existing branches, by default as root and within the source
   * project; `targetProjectId` names another target.
   */
  buildMergeRequest: (
    project: { id: number },
    sourceBranch: string,
    targetBranch: string,
    overrides?: MergeRequestOverrides,
  ) => Promise<{ id: number; iid: number }>
  /** Adds a user as member of `projects/1` or `groups/1`. */
  addMember: (
    source: string,
    userId: number,
    accessLevel: number,
    expiresAt?: string,
  ) => Promise<void>
}

export interface MergeRequestOverrides
  extends Partial<Omit<MergeRequestCreation, 'source' | 'target'>> {
  targetProjectId?: number
}

async function requireRepository(app: App, projectId: number) {
  const found = await findRepository(app.db, projectId)
  if (found === undefined) throw new Error(`no project ${projectId}`)
  return found
}

let sequence = 0

export function buildFactories(app: App, inject: Inject, rootToken: string): Factories {
  async function create(path: string, body: object, token: string): Promise<Json> {
    const answer = await inject('POST', path, { token, body })
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }

  async function buildToken(userId: number, scopes: readonly string[], expiresOn?: string) {
    const { token } = await createToken(app, {
      userId,
      name: 'test',
      scopes: [...scopes],
      expiresOn: expiresOn ?? null,
      kind: 'personal',
    })
    return token
  }

  return {
    buildToken,
    async buildUser(overrides = {}) {
      sequence += 1
      const username = `user${sequence}`
      const values = {
        username,
        name: `User ${sequence}`,
        email: `${username}@example.com`,
        password: 'a user password',
        skip_confirmation: true,
        ...overrides,
      }
      const user = await create('/users', values, rootToken)
      const token = await buildToken(user.id, ['api'])
      return { ...values, id: user.id, username: user.username, token }
    },
    async buildGroup(overrides = {}, owner = { token: rootToken }) {
      sequence += 1
      const values = { name: `Group ${sequence}`, path: `group${sequence}`, ...overrides }
      return create('/groups', values, owner.token)
    },
    async buildProject(overrides = {}, owner = { token: rootToken }) {
      sequence += 1
      return create('/projects', { name: `project${sequence}`, ...overrides }, owner.token)
    },
    async buildMergeRequest(project, sourceBranch, targetBranch, overrides = {}) {
      sequence += 1
      const { targetProjectId = project.id, ...values } = overrides
      return createMergeRequest(app, {
        source: await requireRepository(app, project.id),
        sourceBranch,
        target: await requireRepository(app, targetProjectId),
        targetBranch,
        authorId: 1,
        title: `Change ${sequence}`,
        ...values,
      })
    },
    async addMember(source, userId, accessLevel, expiresAt) {
      const body = { user_id: userId, access_level: accessLevel, expires_at: expiresAt }
      await create(`/${source}/members`, body, rootToken)
    },
  }
}
