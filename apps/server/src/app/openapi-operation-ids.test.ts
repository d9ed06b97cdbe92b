import { contracts } from '@stithy/core'
import { describe, expect, it } from 'vitest'
import { operationIds } from './openapi-operation-ids.ts'

const ids = operationIds(contracts)

function idOf(method: string, path: string): string | undefined {
  return [...ids].find(([each]) => each.method === method && each.path === path)?.[1]
}

describe('operationIds', () => {
  it('gives every endpoint a unique id', () => {
    expect(new Set(ids.values()).size).toBe(ids.size)
    for (const [endpoint, id] of ids) expect(id.startsWith(endpoint.name)).toBe(true)
  })

  it.each([
    ['GET', '/issues', 'issues.list'],
    ['GET', '/groups/:id/issues', 'issues.list.group'],
    ['GET', '/projects/:id/issues', 'issues.list.project'],
    ['POST', '/projects/:id/issues/:issue_iid/notes', 'issues.notes.create'],
    ['PUT', '/projects/:id/labels/:label_id', 'labels.update.project'],
    ['PUT', '/projects/:id/labels', 'labels.update.project.legacy'],
    ['GET', '/projects/:id/repository/archive.:format', 'repository.archive.format'],
    ['PUT', '/projects/:id/repository/branches/:branch/protect', 'protectedBranches.create.legacy'],
  ])('calls %s %s %s', (method, path, id) => {
    expect(idOf(method, path)).toBe(id)
  })
})
