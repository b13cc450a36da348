// Loads a built program with the code that V8 compiled for an earlier process: a process of a test lives for seconds,
// and compiling took half of the CPU time of its start.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/** While it exists, processes keep the code that they have compiled when they exit. */
const KEEPING = 'keeping'

/** @param {string} program the URL of a CommonJS file */
export function load(program) {
  const path = fileURLToPath(program)
  const folder = dirname(path)
  const keeping = isMainThread && existsSync(join(folder, KEEPING))
  const compiled = new Map()
  const { _compile: compile } = Module.prototype
  Module.prototype._compile = function (text, file, ...more) {
    // A script made here cannot import, and no built file does.
    if (dirname(file) !== folder && /^#!|\bimport\(/.test(text)) return compile.call(this, text, file, ...more)
    const name = relative(folder, file).replace(/\W+/g, '_').slice(-150)
    const place = join(folder, `${name}.${cachedDataVersionTag()}.code`)
    const cachedData = keeping || !existsSync(place) ? undefined : readFileSync(place)
    const script = new Script(Module.wrap(text), { filename: file, cachedData })
    if (keeping) compiled.set(place, script)
    const { resolve, cache, main, extensions } = createRequire(file)
    const require = Object.assign((id) => this.require(id), { resolve, cache, main, extensions })
    return script.runInThisContext().call(this.exports, this.exports, require, this, file, dirname(file))
  }
  if (keeping)
    process.on('exit', () => {
      for (const [place, script] of compiled) put(place, script.createCachedData())
    })
  createRequire(path)(path)
}

/** Processes that end at the same time may keep the same file. */
function put(place, data) {
  const unfinished = `${place}.${process.pid}`
  writeFileSync(unfinished, data)
  renameSync(unfinished, place)
}
