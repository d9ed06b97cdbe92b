import type { SimpleProject } from '@stithy/core'
import { icon } from '../../platform/design/icon.ts'
import { type Html, html } from '../../platform/html/html.ts'
import { projectAddress } from '../../platform/text/addresses.ts'

const formats = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const

/** The addresses to clone from, and archives of a ref. */
export function cloneMenu(project: SimpleProject, ref: string | undefined): Html {
  const path = project.path_with_namespace
  const archives = formats.map(
    (format) =>
      html`<li><a href="${archiveAddress(path, ref ?? '', format)}">Download ${format}</a></li>`,
  )
  return html`<details class="menu" data-menu><summary class="button primary">${icon('code')}Clone${icon('triangle-down')}</summary>
<div class="panel clone"><div class="fields">${cloneField('clone-http', 'HTTP', project.http_url_to_repo)}${cloneField('clone-ssh', 'SSH', project.ssh_url_to_repo)}</div>
${ref !== undefined && html`<ul class="plain">${archives}</ul>`}</div></details>`
}

/** The address of an archive, named as existing installations name it. */
export function archiveAddress(project: string, ref: string, format: string): string {
  const name = project.slice(project.lastIndexOf('/') + 1)
  return projectAddress(project, 'archive', ref, `${name}-${ref.replaceAll('/', '-')}.${format}`)
}

/** An address that is selected as a whole, to be copied. */
function cloneField(id: string, label: string, url: string): Html {
  return html`<label for="${id}">Clone with ${label}</label><input id="${id}" class="mono" value="${url}" readonly data-copy>`
}

/** What to do with a repository that has nothing yet. */
export function pushCommands(
  project: SimpleProject,
  branch: string,
): { fresh: string; existing: string } {
  const url = project.ssh_url_to_repo
  return {
    fresh: `git clone ${url}
cd ${project.path}
git switch --create ${branch}
echo "# ${project.path}" > README.md
git add README.md
git commit -m "Add a README"
git push --set-upstream origin ${branch}`,
    existing: `git remote add origin ${url}
git push --set-upstream origin --all
git push origin --tags`,
  }
}
