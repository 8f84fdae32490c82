//! Which variable is decided next: the one that was in most conflicts of late (VSIDS).

/// Variables by how often they were in conflicts.
pub struct Heap {
    heap: Vec<u32>,
    /// By variable: its place in the heap.
    place: Vec<u32>,
    worth: Vec<f64>,
    step: f64,
}

const OUT: u32 = u32::MAX;

impl Heap {
    /// All variables, the first on top.
    pub fn new(variables: usize) -> Heap {
        let all: Vec<u32> = (0..variables as u32).collect();
        Heap { place: all.clone(), heap: all, worth: vec![0.0; variables], step: 1.0 }
    }

    /// Makes a variable worth more.
    pub fn bump(&mut self, variable: u32) {
        self.worth[variable as usize] += self.step;
        if self.worth[variable as usize] > 1e100 {
            self.worth.iter_mut().for_each(|worth| *worth *= 1e-100);
            self.step *= 1e-100;
        }
        if self.place[variable as usize] != OUT {
            self.rise(self.place[variable as usize] as usize);
        }
    }

    /// Lets what was count less.
    pub fn decay(&mut self) {
        self.step /= 0.95;
    }

    /// Puts a variable back.
    pub fn insert(&mut self, variable: u32) {
        if self.place[variable as usize] == OUT {
            self.place[variable as usize] = self.heap.len() as u32;
            self.heap.push(variable);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Takes the best out.
    pub fn pop(&mut self) -> Option<u32> {
        let best = *self.heap.first()?;
        self.place[best as usize] = OUT;
        let last = self.heap.pop()?;
        if last != best {
            self.heap[0] = last;
            self.place[last as usize] = 0;
            self.sink();
        }
        Some(best)
    }

    fn before(&self, first: u32, second: u32) -> bool {
        let (a, b) = (self.worth[first as usize], self.worth[second as usize]);
        a > b || (a == b && first < second)
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.heap.swap(one, other);
        self.place[self.heap[one] as usize] = one as u32;
        self.place[self.heap[other] as usize] = other as u32;
    }

    fn rise(&mut self, mut at: usize) {
        while at > 0 && self.before(self.heap[at], self.heap[(at - 1) / 2]) {
            self.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn sink(&mut self) {
        let mut at = 0;
        loop {
            let children = [2 * at + 1, 2 * at + 2].into_iter().filter(|child| *child < self.heap.len());
            let best = children.reduce(|a, b| if self.before(self.heap[b], self.heap[a]) { b } else { a });
            match best {
                Some(child) if self.before(self.heap[child], self.heap[at]) => self.swap(at, child),
                _ => return,
            }
            at = best.unwrap_or(at);
        }
    }
}
