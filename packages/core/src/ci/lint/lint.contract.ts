import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { text } from '../../platform/contract/fields.ts'
import { maxConfigurationLength } from './ci-limits.rules.ts'
import { LintResult } from './lint.schema.ts'

/** The check of CI configuration files. */
export const lintContract = {
  check: endpoint({
    name: 'lint.check',
    method: 'POST',
    path: '/ci/lint',
    aliases: ['/lint'],
    body: z.object({ content: text({ max: maxConfigurationLength }) }),
    response: { 200: LintResult },
    auth: 'public',
    errors: ['unavailable'],
    docs: {
      summary: 'Check a CI configuration file',
      description:
        'Without a project: of included files only the form is checked, and names that an included ' +
        'file may define are not missed.',
    },
  }),
}
