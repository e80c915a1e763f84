export * from './shapes.gen.js'
export * from './values/lazily.js'
export * from './values/shape.js'
