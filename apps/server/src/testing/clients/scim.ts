import { expect } from 'vitest'
import type { InjectedAnswer, Json, TestServer } from '../test-server.ts'
import { created } from './calls.ts'

/** A group with the SCIM client of its owner. */
export interface ScimFixture {
  owner: Awaited<ReturnType<TestServer['buildUser']>>
  group: Json
  token: string
  /** Calls below the group's base: `/Users`. */
  scim: (method: string, path: string, body?: unknown) => Promise<InjectedAnswer>
}

/** Builds a group whose users are managed by SCIM. */
export async function buildScim(server: TestServer): Promise<ScimFixture> {
  const owner = await server.buildUser()
  const group = await server.buildGroup({}, owner)
  const { token } = await created(server, `/groups/${group.id}/scim_token`, {}, owner)
  return { owner, group, token, scim: scimClient(server, group.full_path, token) }
}

/** Calls of a client that has a token. */
export function scimClient(server: TestServer, fullPath: string, token: string) {
  return (method: string, path: string, body?: unknown): Promise<InjectedAnswer> => {
    const base = `//api/scim/v2/groups/${encodeURIComponent(fullPath)}`
    const bytes = body === undefined ? {} : { bytes: Buffer.from(JSON.stringify(body)) }
    const headers: Record<string, string> = { authorization: `Bearer ${token}` }
    if (body !== undefined) headers['content-type'] = 'application/scim+json'
    return server.inject(method, `${base}${path}`, { headers, ...bytes })
  }
}

let sequence = 0

/** A new user as clients send it. */
export function newScimUser(values: Record<string, unknown> = {}): Json {
  sequence += 1
  const email = `person${sequence}@corp.test`
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: `uid-${sequence}`,
    userName: email,
    active: true,
    name: { formatted: `Person ${sequence}`, givenName: 'Person', familyName: String(sequence) },
    emails: [{ type: 'work', value: email, primary: true }],
    meta: { resourceType: 'User' },
    ...values,
  }
}

/** The body of a PATCH. */
export function patchOf(...Operations: unknown[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations }
}

/** The error of an answer, which must have this status. */
export function scimError(status: number, scimType?: string) {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...(scimType === undefined ? {} : { scimType }),
    detail: expect.stringMatching(/./),
    status: String(status),
  }
}
