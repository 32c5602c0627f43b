package org.example.text;

import static org.junit.Assert.assertEquals;

import java.util.List;
import org.junit.Test;

public class WrapperTest {
  @Test
  public void spacesCountTowardsTheWidth() {
    List<String> lines = new Wrapper(5).wrap("ab cd ef");
    assertEquals(List.of("ab cd", "ef"), lines);
  }
}
