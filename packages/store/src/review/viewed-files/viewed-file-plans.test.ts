import { describe, expect, it } from 'vitest'
import type { Queries } from '../../platform/queries/queries.ts'
import { asTransaction, costlySteps, plansOf } from '../../testing/plans.ts'
import {
  deleteViewedFile,
  listViewedFiles,
  removeViewedFiles,
  removeViewedFilesOf,
  saveViewedFile,
} from './viewed-file-store.ts'

const viewing = { mergeRequestId: 1, userId: 1 }
const file = { path: 'a', mode: '100644', oid: '0', viewedAt: 1 }

describe('queries of viewed files', () => {
  it.each<[string, (q: Queries) => Promise<unknown>]>([
    ['listViewedFiles', (q) => listViewedFiles(q, viewing)],
    ['saveViewedFile', (q) => saveViewedFile(asTransaction(q), viewing, file, 10)],
    ['deleteViewedFile', (q) => deleteViewedFile(asTransaction(q), viewing, 'a')],
    ['removeViewedFilesOf', (q) => removeViewedFilesOf(asTransaction(q), { userId: 1, limit: 10 })],
    ['removeViewedFiles', (q) => removeViewedFiles(asTransaction(q), { ids: [1, 2], limit: 10 })],
  ])('scan no table: %s', async (_, work) => {
    const plans = await plansOf(work)
    expect(plans.size).toBeGreaterThan(0)
    for (const plan of plans.values()) {
      // What is sorted are the marks of one user on one merge request.
      expect(costlySteps(plan).filter((step) => step.startsWith('SCAN'))).toEqual([])
    }
  })
})
