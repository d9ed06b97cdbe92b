import type { License } from '@stithy/core'

/** What is known of a license besides its text. */
export type LicenseDetails = Pick<
  License,
  'name' | 'nickname' | 'popular' | 'description' | 'conditions' | 'permissions' | 'limitations'
> & { spdxId: string }

const uses = ['commercial-use', 'modifications', 'distribution', 'private-use']

/** Of licenses that ask for nothing but the copyright notice. */
const permissive = {
  nickname: null,
  popular: false,
  permissions: uses,
  conditions: ['include-copyright'],
  limitations: ['liability', 'warranty'],
}

/** The licenses by key; each has a text in `data/licenses`. */
export const licenseDetails: Readonly<Record<string, LicenseDetails>> = {
  'apache-2.0': {
    ...permissive,
    spdxId: 'Apache-2.0',
    name: 'Apache License 2.0',
    popular: true,
    description:
      'Permissive, with a grant of patents. Changed files say that they were changed, and the names ' +
      'of the contributors are not licensed as trademarks.',
    permissions: [...uses, 'patent-use'],
    conditions: ['include-copyright', 'document-changes'],
    limitations: ['trademark-use', 'liability', 'warranty'],
  },
  'bsd-2-clause': {
    ...permissive,
    spdxId: 'BSD-2-Clause',
    name: 'BSD 2-Clause "Simplified" License',
    description: 'Permissive: copies of the source and of programs keep the copyright notice.',
  },
  'bsd-3-clause': {
    ...permissive,
    spdxId: 'BSD-3-Clause',
    name: 'BSD 3-Clause "New" or "Revised" License',
    description:
      'Like the BSD 2-Clause License; the names of the contributors may not be used to promote ' +
      'derived work.',
  },
  'gpl-3.0': {
    ...permissive,
    spdxId: 'GPL-3.0-only',
    name: 'GNU General Public License v3.0',
    nickname: 'GNU GPLv3',
    popular: true,
    description:
      'Copyleft: who distributes the work, or work that is based on it, provides the complete source ' +
      'under the same license. Contributors grant their patents.',
    permissions: [...uses, 'patent-use'],
    conditions: ['include-copyright', 'document-changes', 'disclose-source', 'same-license'],
  },
  isc: {
    ...permissive,
    spdxId: 'ISC',
    name: 'ISC License',
    description: 'Permissive, and short: copies keep the copyright notice.',
  },
  mit: {
    ...permissive,
    spdxId: 'MIT',
    name: 'MIT License',
    popular: true,
    description: 'Permissive, and short: copies keep the copyright notice and the license.',
  },
  'mpl-2.0': {
    ...permissive,
    spdxId: 'MPL-2.0',
    name: 'Mozilla Public License 2.0',
    description:
      'Copyleft for single files: changes of them stay under the license, with their source, and may ' +
      'be combined with other work. Contributors grant their patents.',
    permissions: [...uses, 'patent-use'],
    conditions: ['disclose-source', 'include-copyright', 'same-license--file'],
    limitations: ['liability', 'trademark-use', 'warranty'],
  },
  unlicense: {
    ...permissive,
    spdxId: 'Unlicense',
    name: 'The Unlicense',
    description: 'Gives the work to the public domain, without any conditions.',
    conditions: [],
  },
}
