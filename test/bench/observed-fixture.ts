// A process that is observed like the service: each message makes it look up records and write once, and then answer.
import { GroupCommit } from '../../snapshots/group-commit.ts'
import { Directory } from '../../src/engine/index/directory.ts'

const directory = new Directory()
const commits = new GroupCommit(
  () => Promise.resolve(),
  (error) => {
    throw error
  },
)

function decide(): void {
  // By id, then in the index of keys: one lookup, although `first` asks `firstOwn`.
  directory.byId('absent')
  directory.first('absent')
}

function settle(): void {
  directory.byId('absent')
}

process.on('message', () => {
  decide()
  const durable = commits.add([])
  settle()
  void durable.then(() => process.send!('done'))
})
process.on('disconnect', () => process.exit(0))
process.send!('ready')
