import type { Project } from '@stithy/core'
import { settingsAddress } from '../../directory/projects/settings/settings-page.ts'
import { confirmation } from '../../platform/design/confirmation.ts'
import { pagination } from '../../platform/design/navigation.ts'
import type { FailedForm } from '../../platform/forms/form-view.ts'
import type { Html } from '../../platform/html/html.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'

/** What the parts of the repository settings are built from. */
export interface Section {
  call: PageCall
  project: Project
  failed: FailedForm | undefined
  /** Whether the project isn't archived. */
  mayChange: boolean
}

/** The column of the buttons of rows, where there are any. */
export function actionsColumn({ mayChange }: Pick<Section, 'mayChange'>) {
  return mayChange ? [{ text: 'Actions', kind: 'actions' as const }] : []
}

/** Ends the protection of what has a name. */
export function unprotection(
  section: Section,
  { kind, name, question }: { kind: 'branches' | 'tags'; name: string; question: string },
): Html {
  return confirmation(section.call, {
    action: repositoryAddress(section, `protected_${kind}`, 'delete'),
    text: 'Unprotect',
    label: `Unprotect ${name}`,
    question,
    values: { name },
  })
}

/** The address of the page, or of one of its actions. */
export function repositoryAddress(
  { project }: Pick<Section, 'project'>,
  ...action: readonly (string | number)[]
): string {
  return settingsAddress(project.path_with_namespace, 'repository', ...action)
}

/** The links to the other pages of one of the lists. */
export function listPages(
  section: Section,
  list: Parameters<typeof pagination>[0],
  name: string,
): Html | undefined {
  return pagination(list, repositoryAddress(section), section.call.query, name)
}
