/**
 * Adds members to a model that was just built, and returns it. A literal that begins with the spread of the model would
 * take V8 of Node 20 ten microseconds for thirty members, and give each model a hidden class of its own.
 */
export function extended<Model extends object, Members extends object>(
  model: Model,
  members: Members,
): Omit<Model, keyof Members> & Members {
  return Object.assign(model, members)
}
