import type { Random } from './random.ts'

const first = 'Ada Bela Cem Dina Emil Fanny Goran Hana Ivo Jana Kofi Lea Milan Nora Otis Pia'
const last = 'Adler Brook Castillo Dvorak Engel Falk Garcia Holm Ito Jansen Kaya Lind Moreau Novak'
const things = 'Anchor Bridge Canal Delta Engine Forge Garden Harbor Island Kiln Lantern Mill Orbit'
const kinds = 'Api App Cli Core Data Docs Infra Kit Lab Service Site Tools Worker'
const plain =
  'a the of and build test change reader writer index page list server client request answer ' +
  'cache table row branch commit merge file folder path name value error limit option default'

const firstNames = first.split(' ')
const lastNames = last.split(' ')
const thingNames = things.split(' ')
const kindNames = kinds.split(' ')
const plainWords = plain.split(' ')

/** `Ada Lind`. */
export function personName(random: Random): string {
  return `${random.pick(firstNames)} ${random.pick(lastNames)}`
}

/** `Harbor Tools`. */
export function thingName(random: Random): string {
  return `${random.pick(thingNames)} ${random.pick(kindNames)}`
}

/** `count` everyday words. */
export function sentence(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(plainWords)).join(' ')
}

/** `Harbor Tools 7` → `harbor-tools-7`. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
