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

/** Of licenses that ask for the source of derived work. */
const copyleft = {
  ...permissive,
  permissions: [...uses, 'patent-use'],
  conditions: ['include-copyright', 'document-changes', 'disclose-source', 'same-license'],
}

const libraryConditions = [
  'include-copyright',
  'disclose-source',
  'document-changes',
  'same-license--library',
]

/** The licenses by key; each has a text in `data/licenses`. */
export const licenseDetails: Readonly<Record<string, LicenseDetails>> = {
  'agpl-3.0': {
    ...copyleft,
    spdxId: 'AGPL-3.0-only',
    name: 'GNU Affero General Public License v3.0',
    nickname: 'GNU AGPLv3',
    description:
      'Copyleft, as the GNU GPLv3; who lets others use a changed work over a network provides its ' +
      'source to them as well.',
    conditions: [...copyleft.conditions, 'network-use-disclose'],
  },
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
  'bsl-1.0': {
    ...permissive,
    spdxId: 'BSL-1.0',
    name: 'Boost Software License 1.0',
    description: 'Permissive: copies of the source keep the license, those of programs need not.',
    conditions: ['include-copyright--source'],
  },
  'cc0-1.0': {
    ...permissive,
    spdxId: 'CC0-1.0',
    name: 'Creative Commons Zero v1.0 Universal',
    description:
      'Gives the work to the public domain or, where that is not possible, allows everything. Patents ' +
      'and trademarks are not licensed.',
    conditions: [],
    limitations: ['liability', 'trademark-use', 'patent-use', 'warranty'],
  },
  'epl-2.0': {
    ...permissive,
    spdxId: 'EPL-2.0',
    name: 'Eclipse Public License 2.0',
    description:
      'Copyleft for modules: changes of them stay under the license, with their source. Contributors ' +
      'grant their patents.',
    permissions: [...uses, 'patent-use'],
    conditions: ['disclose-source', 'include-copyright', 'same-license'],
  },
  'gpl-2.0': {
    ...copyleft,
    spdxId: 'GPL-2.0-only',
    name: 'GNU General Public License v2.0',
    nickname: 'GNU GPLv2',
    description:
      'Copyleft: who distributes the work, or work that is based on it, provides the complete source ' +
      'under the same license.',
    permissions: uses,
  },
  'gpl-3.0': {
    ...copyleft,
    spdxId: 'GPL-3.0-only',
    name: 'GNU General Public License v3.0',
    nickname: 'GNU GPLv3',
    popular: true,
    description:
      'Copyleft: who distributes the work, or work that is based on it, provides the complete source ' +
      'under the same license. Contributors grant their patents.',
  },
  isc: {
    ...permissive,
    spdxId: 'ISC',
    name: 'ISC License',
    description: 'Permissive, and short: copies keep the copyright notice.',
  },
  'lgpl-2.1': {
    ...copyleft,
    spdxId: 'LGPL-2.1-only',
    name: 'GNU Lesser General Public License v2.1',
    nickname: 'GNU LGPLv2.1',
    description:
      'Copyleft for libraries: changes of the library stay under the license, with their source; ' +
      'programs that use it may have any license.',
    permissions: uses,
    conditions: libraryConditions,
  },
  'lgpl-3.0': {
    ...copyleft,
    spdxId: 'LGPL-3.0-only',
    name: 'GNU Lesser General Public License v3.0',
    nickname: 'GNU LGPLv3',
    description:
      'Copyleft for libraries, in addition to the GNU GPLv3: programs that use the library may have ' +
      'any license. Contributors grant their patents.',
    conditions: libraryConditions,
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
