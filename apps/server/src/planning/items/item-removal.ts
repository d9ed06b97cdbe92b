export { deleteItemDependents } from '@stithy/store'
