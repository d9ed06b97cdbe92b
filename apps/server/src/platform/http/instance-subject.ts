import { instancePolicy } from '@stithy/core'
import { subjectType } from './subjects.ts'

/** The whole instance; there is nothing to load. */
export const instanceSubjectType = subjectType({
  policy: instancePolicy,
  find: async () => ({ instance: true }) as const,
  factsOf: (_, { user }) => ({ canCreateGroup: user?.canCreateGroup ?? false }),
})
